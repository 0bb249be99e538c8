"""Makes the sessions again where photos or decisions have changed, and leaves all others alone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, nextafter

from core.domain.decision import SessionsJoined, SessionStart
from core.domain.photo import PhotoId
from core.domain.session import TimedSession
from core.ingest.sessions.by_hand import SessionDecision, photos_named
from core.ingest.sessions.runs import Moment
from core.ingest.sessions.sessionize import Reel, Remembered, pieces_of, reels, sessions_of
from core.ingest.sessions.stretches import Stretch, closed, merged
from core.progress import Progress
from core.settings import SessionSettings
from core.store.entries import EntryStore
from core.store.library import Library
from core.store.photos import TimelineEntry
from core.store.stale import Changed

_CHUNK = 2000
_MOST_STRETCHES = 200


class _Past:
    """The past of a stretch: what went by since its beginning, else what the library tells."""

    def __init__(self, entries: EntryStore, begin: float) -> None:
        self._entries, self._begin = entries, begin
        self._seen = Remembered()
        self._before: dict[tuple[str | None, bool], float | None] = {}

    def last(self, contributor: str | None, *, weak: bool) -> float | None:
        """See sessionize.Past."""
        seen = self._seen.last(contributor, weak=weak)
        if seen is not None:
            return seen
        key = contributor, weak
        if key not in self._before:
            self._before[key] = self._entries.last_before(self._begin, contributor, weak=weak)
        return self._before[key]

    def add(self, reel: Reel) -> None:
        """A reel is over."""
        self._seen.add(reel)


@dataclass(frozen=True, slots=True)
class _Words:
    """The user's decisions on sessions, by the photos that they name, numbered in their order."""

    by_photo: dict[PhotoId, list[tuple[int, SessionDecision]]]

    @classmethod
    def of(cls, library: Library) -> "_Words":
        named: dict[PhotoId, list[tuple[int, SessionDecision]]] = {}
        decisions = library.decisions.of(SessionStart, SessionsJoined)
        for number, decision in enumerate(decisions):
            for photo in photos_named(decision):
                named.setdefault(photo, []).append((number, decision))
        return cls(named)

    def about(self, moments: Iterable[Moment]) -> list[SessionDecision]:
        """The decisions that name any of the photos, in order."""
        if not self.by_photo:
            return []
        said = {n: d for m in moments for n, d in self.by_photo.get(m.entry.photo_id, ())}
        return [said[number] for number in sorted(said)]


@dataclass(slots=True)
class _Renewal:
    """One pass over a library: the numbers of sessions made so far, and reels taken early."""

    library: Library
    settings: SessionSettings
    words: _Words
    kept: set[int] = field(default_factory=set)
    early: set[tuple[float, str]] = field(default_factory=set)

    @property
    def gap_s(self) -> float:
        """Seconds of a silence, and a little more than its rounding."""
        return self.settings.gap_hours * 3600 + 1

    def chunk(self, at: float, last: float, past: _Past) -> tuple[float | None, int]:
        """Make the sessions of some reels from a time on; where to go on, and how many photos."""
        with self.library.stale.taking():
            taken, beyond = self._read(at, last)
            found: list[TimedSession] = []
            for reel in taken:
                if reel[0].order not in self.early:
                    found += self._sessions(reel, past)
                past.add(reel)
            end = nextafter(last, inf) if beyond is None else beyond
            self.kept |= self.library.sessions.renew(found, at, end, self.kept)
        return beyond, sum(map(len, taken))

    def _read(self, at: float, last: float) -> tuple[list[Reel], float | None]:
        """Whole reels with enough photos, and the start of the next, None at the end."""
        taken: list[Reel] = []
        count = 0
        for reel in reels(_moments(self.library.entries.between(at, last)), self.settings):
            if count >= _CHUNK:
                return taken, reel[0].at
            taken.append(reel)
            count += len(reel)
        return taken, None

    def _sessions(self, reel: Reel, past: _Past) -> list[TimedSession]:
        pieces = pieces_of(reel, past, self.settings)
        decisions = self.words.about(reel)
        others = self._linked(reel, decisions)
        for other in others:
            before = _Past(self.library.entries, other[0].at)
            pieces += pieces_of(other, before, self.settings)
            self.early.add(other[0].order)
            self.library.stale.mark(Changed.HOME, other[0].at, other[-1].at)
        if others:
            decisions = self.words.about(moment for each in (reel, *others) for moment in each)
        return sessions_of(pieces, decisions)

    def _linked(self, reel: Reel, decisions: Sequence[SessionDecision]) -> list[Reel]:
        """The other reels with which the user joined photos of this one, however indirectly."""
        held = {moment.entry.photo_id for moment in reel}
        others: list[Reel] = []
        waiting = _joined(decisions) - held
        asked: set[PhotoId] = set()
        while waiting:
            asked |= waiting
            for key in self.library.entries.keys_of(sorted(waiting)).values():
                other = self._reel_at(key)
                if not held.issuperset(ids := {m.entry.photo_id for m in other}):
                    held |= ids
                    others.append(other)
            waiting = _joined(self.words.about(m for o in others for m in o)) - held - asked
        return others

    def _reel_at(self, key: float) -> Reel:
        around = closed(Stretch(key, key), self.library.entries, self.gap_s)
        moments = _moments(self.library.entries.between(around.first, around.last))
        return next(r for r in reels(moments, self.settings) if r[-1].at >= key)


def _joined(decisions: Iterable[SessionDecision]) -> set[PhotoId]:
    return {p for d in decisions if isinstance(d, SessionsJoined) for p in photos_named(d)}


def _moments(entries: Iterable[TimelineEntry]) -> Iterator[Moment]:
    for entry in entries:
        if entry.taken is not None and entry.order_key is not None:
            yield Moment(entry.order_key, entry)


def renew_sessions(
    library: Library, settings: SessionSettings, progress: Progress
) -> list[Stretch]:
    """Make sessions again; returns the stretches of time in which they may be others."""
    words = _Words.of(library)
    renewal = _Renewal(library, settings, words)
    windows = _windows(library, words, renewal.gap_s)
    done = 0
    for window in windows:
        past = _Past(library.entries, window.first)
        at: float | None = window.first
        while at is not None:
            progress.report("sessions", done)
            at, photos = renewal.chunk(at, window.last, past)
            done += photos
    return windows


def _windows(library: Library, words: _Words, gap_s: float) -> list[Stretch]:
    """Stretches between silences that hold all that has changed, and what follows on it: how
    long a pause was before a run depends on the photo before, however long ago."""
    marks = (mark for mark in library.stale.taken() if mark.what is Changed.PHOTOS)
    stale = (Stretch(m.first, m.last, frozenset([m.contributor])).widened(gap_s) for m in marks)
    entries = library.entries
    windows = merged(closed(s, entries, gap_s) for s in merged(stale, _MOST_STRETCHES))
    more = {key for window in windows for key in _followers(entries, window)}
    more |= _partners(entries, words, windows)
    return merged([*windows, *(closed(Stretch(k, k), entries, gap_s) for k in more)])


def _partners(entries: EntryStore, words: _Words, windows: Sequence[Stretch]) -> set[float]:
    """The times of photos that were joined by hand with one in these stretches, which may be
    gone by now."""
    times = entries.keys_of(sorted(words.by_photo), gone=True)
    found: set[float] = set()
    for photo, said in words.by_photo.items():
        at = times.get(photo)
        if at is None or any(window.first <= at <= window.last for window in windows):
            pairs = _joined(decision for _, decision in said)
            found |= {times[partner] for partner in pairs & times.keys()}
    return found


def _followers(entries: EntryStore, window: Stretch) -> Iterator[float]:
    """The first photos after a stretch: of those whose photos changed in it, and of all."""
    found = [entries.first_after(window.last, None, weak=False)]
    for who in window.who:
        found += [entries.first_after(window.last, who, weak=weak) for weak in (False, True)]
    yield from (key for key in found if key is not None)
