"""Trips: maximal runs of sessions away from home, nights included.

Away is farther than the trip distance from home, or without a place between two such sessions.
A session at home ends a trip only of its own devices: someone else may have stayed. Where home is
not known, a run of sessions is a trip when one device was at places that are farther apart than
the trip distance: who moves about is travelling.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from core.domain.place import GeoPoint
from core.domain.session import BETWEEN_CONTRIBUTORS, SessionSpan, Split, SplitRule, TripSpan
from core.ingest.facts import IN_FOLDER
from core.ingest.sessions.distance import distance_km, is_farther
from core.ingest.sessions.home import Homes
from core.settings import SessionSettings

_PLACES = 3


@dataclass(slots=True)
class _Open:
    """A run that may go on; `pending` have no place and count only if the run does go on.

    `devices` are those of the members, `end` is the last photo so far, pending ones too.
    """

    split: Split
    members: list[SessionSpan] = field(default_factory=list)
    pending: list[SessionSpan] = field(default_factory=list)
    devices: set[str] = field(default_factory=set)
    end: float = float("-inf")
    certain: bool = False

    def add(self, span: SessionSpan) -> None:
        """Go on with a session that is away, and with those before it of unknown place."""
        for member in (*self.pending, span):
            self.members.append(member)
            self.devices |= devices_of(member)
        self.pending = []
        self.end = max(self.end, span.end)

    def wait(self, span: SessionSpan) -> None:
        """Keep a session of unknown place until it is clear whether the run goes on."""
        self.pending.append(span)
        self.end = max(self.end, span.end)


def devices_of(span: SessionSpan) -> set[str]:
    """Who or what took photos in a session, whatever the folder."""
    return {name.split(IN_FOLDER)[0] for name in span.contributor.split(BETWEEN_CONTRIBUTORS)}


def is_at_home(span: SessionSpan, homes: Homes, settings: SessionSettings) -> bool:
    """Whether a session is known to be near the home of its time."""
    home = homes.at(span.local)
    if home is None or span.center is None:
        return False
    return not is_farther(home, span.center, settings.trip_distance_km)


def find_trips(
    sessions: Iterable[SessionSpan],
    homes: Homes,
    settings: SessionSettings,
    before: SessionSpan | None = None,
) -> list[TripSpan]:
    """The trips among sessions (in order, none weak); `before` is the one just before them."""
    closed: list[_Open] = []
    current: _Open | None = None
    for span in sessions:
        if current and span.start - current.end > settings.trip_gap_hours * 3600:
            closed.append(current)
            current = None
        if span.center is None:
            if current:
                current.wait(span)
        elif is_at_home(span, homes, settings):
            if current and current.devices & devices_of(span):
                closed.append(current)
                current = None
        else:
            current = current or _Open(_split(before, span, settings))
            current.add(span)
            current.certain = current.certain or homes.at(span.local) is not None
        before = span
    if current:
        closed.append(current)
    return [_trip(run) for run in closed if run.certain or _moves(run, settings)]


def _split(before: SessionSpan | None, span: SessionSpan, settings: SessionSettings) -> Split:
    if before is None:
        return Split(SplitRule.FIRST)
    hours = (span.start - before.end) / 3600
    if hours <= settings.trip_gap_hours and before.center and span.center:
        return Split(SplitRule.JUMP, distance_km(before.center, span.center))
    return Split(SplitRule.GAP, max(0.0, hours))


def _moves(run: _Open, settings: SessionSettings) -> bool:
    """Whether one device was at two places that are far apart."""
    places: dict[str, dict[GeoPoint, None]] = {}
    for member in run.members:
        if member.center is not None:
            for device in devices_of(member):
                places.setdefault(device, {})[member.center] = None
    return any(_are_far_apart(list(seen), settings.trip_distance_km) for seen in places.values())


def _are_far_apart(points: Sequence[GeoPoint], km: float) -> bool:
    """Whether some two of the points are; quick where all lie in one small box."""
    north, south = (f(p.latitude for p in points) for f in (max, min))
    east, west = (f(p.longitude for p in points) for f in (max, min))
    corners = GeoPoint(north, east), GeoPoint(south, west), GeoPoint(north, west)
    is_wide = any(is_farther(one, other, km / 2) for one, other in combinations(corners, 2))
    if not is_wide and east - west < 180:
        return False
    return any(is_farther(one, other, km) for one, other in combinations(points, 2))


def _trip(run: _Open) -> TripSpan:
    counts: Counter[str] = Counter()
    for member in run.members:
        counts[member.place] += member.photos
    del counts[""]
    places = sorted(counts, key=lambda place: (-counts[place], place))[:_PLACES]
    return TripSpan(tuple(run.members), run.split, " · ".join(places))
