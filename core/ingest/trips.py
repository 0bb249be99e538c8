"""Trips: maximal runs of sessions away from home, nights included.

Away is farther than the trip distance from home, or without a place between two such sessions.
A session at home ends a trip only of its own devices: someone else may have stayed. Where home is
not known, a run of sessions is a trip when one device was at places that are farther apart than
the trip distance: who moves about is travelling.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from core.domain.session import Split, SplitRule, Trip
from core.ingest.distance import distance_km, is_farther
from core.ingest.home import Homes
from core.ingest.sessionize import TimedSession
from core.settings import SessionSettings

_PLACES = 3


@dataclass(slots=True)
class _Open:
    """A run that may go on; `pending` have no place and count only if the run does go on."""

    split: Split
    members: list[TimedSession] = field(default_factory=list)
    pending: list[TimedSession] = field(default_factory=list)
    certain: bool = False

    @property
    def end(self) -> float:
        """The last photo so far."""
        return max(timed.end for timed in (*self.members, *self.pending))

    @property
    def devices(self) -> frozenset[str]:
        """Who or what travels."""
        return frozenset().union(*(timed.devices for timed in self.members))

    def add(self, timed: TimedSession) -> None:
        """Go on with a session that is away, and with those before it of unknown place."""
        self.members += [*self.pending, timed]
        self.pending = []


def find_trips(
    sessions: Sequence[TimedSession], homes: Homes, settings: SessionSettings
) -> list[Trip]:
    """The trips among sessions (in order), numbered from 1."""
    closed: list[_Open] = []
    current: _Open | None = None
    before: TimedSession | None = None
    for timed in sessions:
        if timed.is_weak:
            continue
        if current and timed.start - current.end > settings.trip_gap_hours * 3600:
            closed.append(current)
            current = None
        current = _step(current, timed, before, homes, settings, closed)
        before = timed
    if current:
        closed.append(current)
    runs = [run for run in closed if run.certain or _moves(run, settings)]
    return [_trip(number, run) for number, run in enumerate(runs, start=1)]


def _step(
    current: _Open | None,
    timed: TimedSession,
    before: TimedSession | None,
    homes: Homes,
    settings: SessionSettings,
    closed: list[_Open],
) -> _Open | None:
    """What the open run becomes with the next session."""
    center = timed.session.center
    home = homes.at(timed.session.start.local)
    if center is None:
        if current:
            current.pending.append(timed)
        return current
    if home and not is_farther(home, center, settings.trip_distance_km):
        if current and current.devices & timed.devices:
            closed.append(current)
            return None
        return current
    if current is None:
        current = _Open(_split(before, timed, settings))
    current.add(timed)
    current.certain = current.certain or home is not None
    return current


def _split(before: TimedSession | None, timed: TimedSession, settings: SessionSettings) -> Split:
    if before is None:
        return Split(SplitRule.FIRST)
    hours = (timed.start - before.end) / 3600
    here, there = before.session.center, timed.session.center
    if hours <= settings.trip_gap_hours and here and there:
        return Split(SplitRule.JUMP, distance_km(here, there))
    return Split(SplitRule.GAP, max(0.0, hours))


def _moves(run: _Open, settings: SessionSettings) -> bool:
    """Whether one device was at two places that are far apart."""
    for one, other in combinations(run.members, 2):
        here, there = one.session.center, other.session.center
        if not (one.devices & other.devices) or here is None or there is None:
            continue
        if is_farther(here, there, settings.trip_distance_km):
            return True
    return False


def _trip(number: int, run: _Open) -> Trip:
    counts: Counter[str] = Counter()
    for timed in run.members:
        counts[timed.session.place] += len(timed.session.photo_ids)
    del counts[""]
    places = sorted(counts, key=lambda place: (-counts[place], place))[:_PLACES]
    return Trip(number, tuple(t.session for t in run.members), run.split, " · ".join(places))
