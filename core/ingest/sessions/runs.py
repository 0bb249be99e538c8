"""Runs of one contributor's photos, and which runs of different contributors belong together.

A run stays open until the gap has passed after its last photo. Runs of different contributors
are joined when one begins while the other is open and, where both know places, some photo of one
is near the photo of the other next to it in time. A run without any place joins the located run
with which it shares the most time, so that it never bridges two cities.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.domain.moment import ClockSource
from core.domain.place import GeoPoint
from core.domain.session import Split, SplitRule
from core.ingest.sessions.distance import distance_km, is_farther
from core.ingest.sessions.groups import Groups
from core.settings import SessionSettings
from core.store.photos import TimelineEntry


def hours_between(earlier: float, later: float) -> float:
    """Hours from one time to another, both in seconds."""
    return (later - earlier) / 3600


@dataclass(frozen=True, slots=True)
class Moment:
    """A dated photo: seconds since 1970 UTC, and its entry."""

    at: float
    entry: TimelineEntry

    @property
    def order(self) -> tuple[float, str]:
        """The total order of photos: by time, ties by hash."""
        return self.at, self.entry.content_hash

    @property
    def is_weak(self) -> bool:
        """Whether only the file's time dates it."""
        taken = self.entry.taken
        return taken is not None and taken.source is ClockSource.FILE_TIME


@dataclass(frozen=True, slots=True)
class Run:
    """Photos of one contributor without a long gap or jump, in order, and what split it."""

    contributor: str
    moments: tuple[Moment, ...]
    split: Split

    @property
    def start(self) -> float:
        """The first photo's time."""
        return self.moments[0].at

    @property
    def end(self) -> float:
        """The last photo's time."""
        return self.moments[-1].at

    @property
    def order(self) -> tuple[float, str]:
        """The order of its first photo."""
        return self.moments[0].order

    @property
    def is_located(self) -> bool:
        """Whether some photo has a position."""
        return any(moment.entry.point is not None for moment in self.moments)


def split_runs(
    contributor: str, moments: Sequence[Moment], before: float | None, settings: SessionSettings
) -> Iterator[Run]:
    """Cut one contributor's photos (in order) at gaps and jumps.

    `before` is the time of the contributor's last photo before these, more than the gap ago;
    None where there is none.
    """
    current: list[Moment] = []
    split = Split(SplitRule.FIRST)
    if before is not None:
        split = Split(SplitRule.GAP, hours_between(before, moments[0].at))
    last_point: GeoPoint | None = None
    for moment in moments:
        reason = _reason(current, last_point, moment, settings)
        if reason is not None:
            yield Run(contributor, tuple(current), split)
            current, split, last_point = [], reason, None
        current.append(moment)
        last_point = moment.entry.point or last_point
    if current:
        yield Run(contributor, tuple(current), split)


def _reason(
    current: Sequence[Moment],
    last_point: GeoPoint | None,
    moment: Moment,
    settings: SessionSettings,
) -> Split | None:
    if not current:
        return None
    hours = hours_between(current[-1].at, moment.at)
    if hours > settings.gap_hours:
        return Split(SplitRule.GAP, hours)
    point = moment.entry.point
    if point is None or last_point is None or not is_farther(last_point, point, settings.jump_km):
        return None
    return Split(SplitRule.JUMP, distance_km(last_point, point))


def joined_runs(runs: Sequence[Run], settings: SessionSettings) -> list[list[Run]]:
    """Groups of runs that are one session, each and all in order."""
    ordered = sorted(runs, key=lambda run: run.order)
    pairs = list(_open_pairs(ordered, settings.gap_hours * 3600))
    groups = Groups(len(ordered))
    hosts: dict[int, list[int]] = {}
    for one, other in pairs:
        located = ordered[one].is_located, ordered[other].is_located
        if all(located):
            if _meet(ordered[one], ordered[other], settings):
                groups.join(one, other)
        elif any(located):
            guest, host = (one, other) if located[1] else (other, one)
            hosts.setdefault(guest, []).append(host)
    for guest, found in hosts.items():
        groups.join(guest, max(found, key=lambda h: (_shared(ordered[guest], ordered[h]), -h)))
    for one, other in pairs:
        lost = one not in hosts and other not in hosts
        if lost and not ordered[one].is_located and not ordered[other].is_located:
            groups.join(one, other)
    return [[ordered[i] for i in group] for group in groups.all()]


def _open_pairs(ordered: Sequence[Run], gap_s: float) -> Iterator[tuple[int, int]]:
    """Pairs of runs of different contributors, the later one begun while the other was open."""
    still_open: list[int] = []
    for late, run in enumerate(ordered):
        still_open = [i for i in still_open if ordered[i].end + gap_s >= run.start]
        for early in still_open:
            if ordered[early].contributor != run.contributor:
                yield early, late
        still_open.append(late)


def _shared(one: Run, other: Run) -> float:
    """Seconds that two runs share; negative where only the gap joins them."""
    return min(one.end, other.end) - max(one.start, other.start)


def _meet(one: Run, other: Run, settings: SessionSettings) -> bool:
    """Whether photos that are next to each other in time are near each other."""
    located = [(m, 0) for m in one.moments if m.entry.point is not None]
    located += [(m, 1) for m in other.moments if m.entry.point is not None]
    located.sort(key=lambda pair: pair[0].order)
    for (before, first), (after, second) in pairwise(located):
        if first == second or after.at - before.at > settings.gap_hours * 3600:
            continue
        here, there = before.entry.point, after.entry.point
        if here and there and not is_farther(here, there, settings.jump_km):
            return True
    return False
