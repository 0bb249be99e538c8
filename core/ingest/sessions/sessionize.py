"""Sessions of a library: runs of photos with no long gap and no far jump.

Photos are taken reel by reel: a reel lies between two silences in which nobody took a photo for
longer than the gap, so that no session of its own accord goes on from one reel to another. In a
reel runs are made per contributor, then joined (see `runs`); what the user split or joined by
hand comes last (see `by_hand`). The result follows from photos and decisions alone. A photo that
is dated by its file's time only says when a file was written: such photos form sessions of their
own, which are never joined with others by a rule and never part of a trip.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from core.domain.moment import CaptureTime
from core.domain.session import (
    BETWEEN_CONTRIBUTORS,
    Session,
    Split,
    SplitRule,
    TimedSession,
)
from core.ingest.sessions.by_hand import SessionDecision, decided
from core.ingest.sessions.distance import distance_km, is_farther, median_point
from core.ingest.sessions.pieces import Piece
from core.ingest.sessions.runs import Moment, Run, hours_between, joined_runs, split_runs
from core.settings import SessionSettings
from core.store.photos import TimelineEntry

Reel = Sequence[Moment]
"""All photos between two silences, in order."""


class Past(Protocol):
    """What lies before a reel: times of last photos, None where there are none."""

    def last(self, contributor: str | None, *, weak: bool) -> float | None:
        """Of one contributor, or (None) of all; among those that only file times date, or not."""


class Remembered:
    """The past as it went by."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, bool], float] = {}

    def last(self, contributor: str | None, *, weak: bool) -> float | None:
        """See Past."""
        return self._last.get((contributor, weak))

    def add(self, reel: Reel) -> None:
        """A reel is over."""
        for moment in reel:
            self._last[moment.entry.contributor, moment.is_weak] = moment.at
            self._last[None, moment.is_weak] = moment.at


def sessionize(
    entries: Iterable[TimelineEntry],
    settings: SessionSettings,
    decisions: Sequence[SessionDecision] = (),
) -> list[TimedSession]:
    """The sessions of all dated photos, in order of their start, numbered from 1."""
    dated = [Moment(e.order_key, e) for e in entries if e.taken and e.order_key is not None]
    past = Remembered()
    pieces: list[Piece] = []
    for reel in reels(sorted(dated, key=lambda moment: moment.order), settings):
        pieces += pieces_of(reel, past, settings)
        past.add(reel)
    found = sessions_of(pieces, decisions)
    return [
        replace(timed, session=replace(timed.session, id=number))
        for number, timed in enumerate(found, start=1)
    ]


def reels(moments: Iterable[Moment], settings: SessionSettings) -> Iterator[Reel]:
    """Cut moments (in order) at every silence."""
    reel: list[Moment] = []
    for moment in moments:
        if reel and hours_between(reel[-1].at, moment.at) > settings.gap_hours:
            yield reel
            reel = []
        reel.append(moment)
    if reel:
        yield reel


def pieces_of(reel: Reel, past: Past, settings: SessionSettings) -> list[Piece]:
    """The sessions of a reel before anything by hand, in order."""
    strong, weak = (_runs(reel, past, settings, weak=weak) for weak in (False, True))
    groups = [*joined_runs(strong, settings), *([run] for run in weak)]
    groups.sort(key=lambda group: group[0].order)
    return _told([Piece.of(group) for group in groups], past, settings)


def _runs(reel: Reel, past: Past, settings: SessionSettings, *, weak: bool) -> list[Run]:
    streams: dict[str, list[Moment]] = {}
    for moment in reel:
        if moment.is_weak is weak:
            streams.setdefault(moment.entry.contributor, []).append(moment)
    return [
        run
        for who, moments in streams.items()
        for run in split_runs(who, moments, past.last(who, weak=weak), settings)
    ]


def _told(pieces: Sequence[Piece], past: Past, settings: SessionSettings) -> list[Piece]:
    """A contributor's first run of all says how it differs from what was before."""
    told: list[Piece] = []
    for piece in pieces:
        split = piece.split
        if split.rule is SplitRule.FIRST and not piece.is_weak:
            split = _split_after([p for p in told if not p.is_weak], piece, past, settings)
        told.append(replace(piece, split=split))
    return told


def _split_after(
    before: Sequence[Piece], piece: Piece, past: Past, settings: SessionSettings
) -> Split:
    if not before:
        last = past.last(None, weak=False)
        if last is None:
            return piece.split
        return Split(SplitRule.GAP, hours_between(last, piece.start))
    latest = max(before, key=lambda p: p.end)
    hours = hours_between(latest.end, piece.start)
    if hours > settings.gap_hours:
        return Split(SplitRule.GAP, hours)
    here, there = median_point(latest.points), median_point(piece.points)
    if here and there and is_farther(here, there, settings.jump_km):
        return Split(SplitRule.JUMP, distance_km(here, there))
    return piece.split


def sessions_of(
    pieces: Sequence[Piece], decisions: Sequence[SessionDecision]
) -> list[TimedSession]:
    """The sessions that pieces are once decisions are heard, in order, without numbers."""
    heard = sorted(decided(pieces, decisions), key=lambda piece: piece.order)
    return [_session(piece) for piece in heard]


def _session(piece: Piece) -> TimedSession:
    moments = piece.moments
    session = Session(
        id=0,
        contributor=BETWEEN_CONTRIBUTORS.join(sorted({m.entry.contributor for m in moments})),
        photo_ids=tuple(m.entry.photo_id for m in moments),
        start=_taken(moments[0]),
        end=_taken(moments[-1]),
        split=piece.split,
        center=median_point(piece.points),
        place=commonest(m.entry.place for m in moments),
    )
    return TimedSession(session, piece.start, piece.end, piece.is_weak)


def _taken(moment: Moment) -> CaptureTime:
    assert moment.entry.taken is not None
    return moment.entry.taken


def commonest(names: Iterable[str]) -> str:
    """The most frequent name, ties by alphabet, "" of none."""
    counts = Counter(name for name in names if name)
    return min(counts, key=lambda name: (-counts[name], name), default="")
