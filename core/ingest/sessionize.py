"""Sessions of a library: runs of photos with no long gap and no far jump.

Per contributor, then joined (see `runs`). The result follows from the set of photos alone. A
photo that is dated by its file's time only says when a file was written: such photos form
sessions of their own, which are never joined with others and never part of a trip.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.moment import CaptureTime, ClockSource
from core.domain.session import Session, Split, SplitRule
from core.ingest.distance import distance_km, is_farther, median_point
from core.ingest.facts import IN_FOLDER
from core.ingest.runs import Moment, Run, joined_runs, split_runs
from core.settings import SessionSettings
from core.store.photos import TimelineEntry

BETWEEN_CONTRIBUTORS = " + "


@dataclass(frozen=True, slots=True)
class TimedSession:
    """A session with its first and last photo's seconds since 1970 UTC."""

    session: Session
    start: float
    end: float

    @property
    def devices(self) -> frozenset[str]:
        """Who or what took photos in it, whatever the folder."""
        contributors = self.session.contributor.split(BETWEEN_CONTRIBUTORS)
        return frozenset(name.split(IN_FOLDER)[0] for name in contributors)

    @property
    def is_weak(self) -> bool:
        """Whether only file times date it."""
        return self.session.start.source is ClockSource.FILE_TIME


def sessionize(entries: Iterable[TimelineEntry], settings: SessionSettings) -> list[TimedSession]:
    """The sessions of all dated photos, in order of their start, numbered from 1."""
    strong: dict[str, list[Moment]] = {}
    weak: dict[str, list[Moment]] = {}
    for entry in entries:
        if entry.taken is None or entry.order_key is None:
            continue
        streams = weak if entry.taken.source is ClockSource.FILE_TIME else strong
        streams.setdefault(entry.contributor, []).append(Moment(entry.order_key, entry))
    groups = joined_runs(_runs(strong, settings), settings)
    groups += [[run] for run in _runs(weak, settings)]
    groups.sort(key=lambda group: (group[0].order, group[0].contributor))
    return _numbered([_session(group) for group in groups], settings)


def _runs(streams: dict[str, list[Moment]], settings: SessionSettings) -> list[Run]:
    return [
        run
        for contributor, moments in streams.items()
        for run in split_runs(contributor, sorted(moments, key=lambda m: m.order), settings)
    ]


def _session(group: Sequence[Run]) -> TimedSession:
    moments = sorted((m for run in group for m in run.moments), key=lambda m: m.order)
    points = [m.entry.point for m in moments if m.entry.point is not None]
    session = Session(
        id=0,
        contributor=BETWEEN_CONTRIBUTORS.join(sorted({run.contributor for run in group})),
        photo_ids=tuple(m.entry.photo_id for m in moments),
        start=_taken(moments[0]),
        end=_taken(moments[-1]),
        split=group[0].split,
        center=median_point(points),
        place=commonest(m.entry.place for m in moments),
    )
    return TimedSession(session, moments[0].at, moments[-1].at)


def _taken(moment: Moment) -> CaptureTime:
    assert moment.entry.taken is not None
    return moment.entry.taken


def commonest(names: Iterable[str]) -> str:
    """The most frequent name, ties by alphabet, "" of none."""
    counts = Counter(name for name in names if name)
    return min(counts, key=lambda name: (-counts[name], name), default="")


def _numbered(sessions: Sequence[TimedSession], settings: SessionSettings) -> list[TimedSession]:
    """Number them; a contributor's first run says how it differs from what was before."""
    numbered: list[TimedSession] = []
    for number, timed in enumerate(sessions, start=1):
        split = timed.session.split
        if split.rule is SplitRule.FIRST and numbered and not timed.is_weak:
            split = _split_after([t for t in numbered[-8:] if not t.is_weak], timed, settings)
        session = replace(timed.session, id=number, split=split)
        numbered.append(replace(timed, session=session))
    return numbered


def _split_after(
    before: Sequence[TimedSession], timed: TimedSession, settings: SessionSettings
) -> Split:
    if not before:
        return timed.session.split
    last = max(before, key=lambda t: t.end)
    hours = (timed.start - last.end) / 3600
    if hours > settings.gap_hours:
        return Split(SplitRule.GAP, hours)
    here, there = last.session.center, timed.session.center
    if here and there and is_farther(here, there, settings.jump_km):
        return Split(SplitRule.JUMP, distance_km(here, there))
    return timed.session.split
