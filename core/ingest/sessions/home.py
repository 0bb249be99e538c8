"""Where home is: the densest place by distinct days, month by month, since people move.

For each month the photos of three and a half months before and after its middle vote. A place
counts as home when it was photographed on at least five days that lie in four different weeks, or
on twice as many days as all other places together; a fortnight's holiday is no home. A month
without such a place has the home of the nearest month that has one (the earlier of two). Where no
month has one, the whole library votes; it may have no known home. What the user says of a time
holds over all that is found, the newest word first.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.decision import HomeSet
from core.domain.moment import ClockSource
from core.domain.place import GeoPoint
from core.domain.visit import CELLS, EAST_UP, NORTH_UP, Visit
from core.ingest.sessions.distance import median_point
from core.store.photos import TimelineEntry

WINDOW_DAYS = 105
WHOLE_LIBRARY = 0
"""Stands for a month where no month has a home of its own."""

_RADIUS_KM = 20.0
_EARTH_KM = 6371.0088
_MIN_DAYS = 5
_MIN_WEEKS = 4
_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Homes:
    """Home by month (`months` are those of `found`, rising), and the user's words, oldest first."""

    found: Mapping[int, GeoPoint] = field(default_factory=dict)
    months: Sequence[int] = ()
    by_hand: Sequence[HomeSet] = ()

    @classmethod
    def of(cls, found: Mapping[int, GeoPoint], by_hand: Sequence[HomeSet] = ()) -> "Homes":
        """Homes that were found, and what the user says."""
        return cls(found, sorted(found), by_hand)

    def at(self, local: datetime) -> GeoPoint | None:
        """Home at that time, None where it is not known."""
        day = local.date()
        for word in reversed(self.by_hand):
            if (word.first or date.min) <= day <= (word.last or date.max):
                return word.point
        return self.around(month_of(day))

    def around(self, month: int) -> GeoPoint | None:
        """The home found for a month, or for the nearest one."""
        place = bisect_left(self.months, month)
        near = self.months[max(0, place - 1) : place + 1]
        return self.found[min(near, key=lambda m: abs(m - month))] if near else None


def month_of(day: date) -> int:
    """The number of a month, counted from the year 0."""
    return day.year * 12 + day.month - 1


def middle_of(month: int) -> int:
    """The middle day of a month, as `date.toordinal`."""
    return date(month // 12, month % 12 + 1, 15).toordinal()


def months_around(days: Iterable[int]) -> set[int]:
    """The months whose homes depend on some days."""
    return {month for day in set(days) for month in _months_around(day)}


def _months_around(day: int) -> Iterator[int]:
    first = date.fromordinal(max(1, day - WINDOW_DAYS))
    last = date.fromordinal(min(date.max.toordinal(), day + WINDOW_DAYS))
    for month in range(month_of(first), month_of(last) + 1):
        if abs(middle_of(month) - day) <= WINDOW_DAYS:
            yield month


def visits_of(entries: Iterable[TimelineEntry]) -> set[Visit]:
    """The days and cells that photos tell of; file times say nothing."""
    return {
        Visit.of(entry.taken.local.toordinal(), entry.point)
        for entry in entries
        if entry.taken and entry.point and entry.taken.source is not ClockSource.FILE_TIME
    }


def find_homes(seen: Iterable[Visit]) -> dict[int, GeoPoint]:
    """Home by month over the time of a whole library; months without one are left out."""
    visits = Visits.of(seen)
    months = months_around(visits.days.tolist())
    homes = {month: visits.home_in(month) for month in months}
    found = {month: home for month, home in homes.items() if home is not None}
    if found:
        return found
    whole = visits.home()
    return {} if whole is None else {WHOLE_LIBRARY: whole}


@dataclass(frozen=True, slots=True)
class Visits:
    """Distinct days (n) with the cells (n, 2) that were photographed."""

    days: Int64Array
    cells: Int64Array

    @classmethod
    def of(cls, seen: Iterable[Visit]) -> "Visits":
        """Visits in a fixed order."""
        rows = np.array(sorted(seen), np.int64).reshape(-1, 3)
        return cls(rows[:, 0], rows[:, 1:])

    def home_in(self, month: int) -> GeoPoint | None:
        """The home of a month, None where it is not clear enough."""
        middle = middle_of(month)
        first, last = np.searchsorted(self.days, (middle - WINDOW_DAYS, middle + WINDOW_DAYS + 1))
        return Visits(self.days[first:last], self.cells[first:last]).home()

    def home(self) -> GeoPoint | None:
        """The densest place, None where it is not clear enough."""
        if len(self.days) < _MIN_DAYS:
            return None
        cells, number, counts = np.unique(
            self.cells, axis=0, return_inverse=True, return_counts=True
        )
        vectors = _vectors(cells)
        best: BoolArray = np.zeros(len(self.days), np.bool_)
        for index in np.argsort(-counts, kind="stable")[:_CANDIDATES]:
            near = (vectors @ vectors[index] >= np.cos(_RADIUS_KM / _EARTH_KM))[number.ravel()]
            if _distinct(self.days[near]) > _distinct(self.days[best]):
                best = near
        if not self._is_home(best):
            return None
        return median_point([Visit(0, *cell).point for cell in self.cells[best].tolist()])

    def _is_home(self, near: BoolArray) -> bool:
        days = _distinct(self.days[near])
        weeks = _distinct((self.days[near] - 1) // 7)  # ordinal 1 was a Monday
        elsewhere = _distinct(self.days[~near])
        return days >= _MIN_DAYS and (weeks >= _MIN_WEEKS or days >= 2 * elsewhere)


def _vectors(cells: Int64Array) -> Float64Array:
    """Unit vectors of the middles of cells, (n, 3)."""
    degrees = (cells - (int(NORTH_UP), int(EAST_UP))) / CELLS
    latitude, longitude = np.radians(degrees).T
    flat = np.cos(latitude)
    return np.stack((flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)), axis=1)


def _distinct(days: Int64Array) -> int:
    """How many different values there are among rising ones."""
    return int(np.count_nonzero(np.diff(days))) + 1 if len(days) else 0
