"""Where home is: the densest place by distinct days, month by month, since people move.

For each month the photos of three months before and after vote, else the whole library. A place
counts as home when it was photographed on at least five days that lie in four different weeks,
or on twice as many days as all other places together; a fortnight's holiday is no home. A library
without such a place has no known home.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.moment import ClockSource
from core.domain.place import GeoPoint
from core.ingest.distance import median_point
from core.store.photos import TimelineEntry

_CELL_DEGREES = 0.05
_RADIUS_KM = 20.0
_EARTH_KM = 6371.0088
_WINDOW_DAYS = 105
_MIN_DAYS = 5
_MIN_WEEKS = 4
_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Homes:
    """Home by month; `fixed` is the user's own word and holds always."""

    by_month: dict[tuple[int, int], GeoPoint | None] = field(default_factory=dict)
    otherwise: GeoPoint | None = None
    fixed: GeoPoint | None = None

    def at(self, local: datetime) -> GeoPoint | None:
        """Home at that time, None where it is not known."""
        return self.fixed or self.by_month.get((local.year, local.month)) or self.otherwise


def find_homes(entries: Iterable[TimelineEntry], fixed: GeoPoint | None = None) -> Homes:
    """Home over the time of a library, from its photos with time and place."""
    if fixed is not None:
        return Homes(fixed=fixed)
    seen = {
        (entry.taken.local.date(), _cell(entry.point))
        for entry in entries
        if entry.taken and entry.point and entry.taken.source is not ClockSource.FILE_TIME
    }
    if not seen:
        return Homes()
    visits = _Visits.of(sorted(seen))
    months = sorted({(day.year, day.month) for day, _ in seen})
    by_month = {month: visits.around(date(*month, 15)).home() for month in months}
    return Homes(by_month, visits.home())


def _cell(point: GeoPoint) -> tuple[int, int]:
    return round(point.latitude / _CELL_DEGREES), round(point.longitude / _CELL_DEGREES)


@dataclass(frozen=True, slots=True)
class _Visits:
    """Distinct (day, cell) pairs: day numbers (n), cells in degrees (n, 2), unit vectors (n, 3)."""

    days: Int64Array
    degrees: Float64Array
    vectors: Float64Array

    @classmethod
    def of(cls, seen: Sequence[tuple[date, tuple[int, int]]]) -> "_Visits":
        days = np.array([day.toordinal() for day, _ in seen], np.int64)
        degrees = np.array([cell for _, cell in seen], np.float64) * _CELL_DEGREES
        latitude, longitude = np.radians(degrees).T
        flat = np.cos(latitude)
        vectors = np.stack(
            (flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)), axis=1
        )
        return cls(days, degrees, vectors)

    def around(self, day: date) -> "_Visits":
        """The visits of some months around a day."""
        return self._where(np.abs(self.days - day.toordinal()) <= _WINDOW_DAYS)

    def _where(self, chosen: BoolArray) -> "_Visits":
        return _Visits(self.days[chosen], self.degrees[chosen], self.vectors[chosen])

    def home(self) -> GeoPoint | None:
        """The densest place, None where it is not clear enough."""
        cells, counts = np.unique(self.degrees, axis=0, return_counts=True)
        best: BoolArray | None = None
        for index in np.argsort(-counts, kind="stable")[:_CANDIDATES]:
            near = self._near(cells[index])
            if best is None or _distinct(self.days[near]) > _distinct(self.days[best]):
                best = near
        if best is None or not self._is_home(best):
            return None
        return median_point([GeoPoint(*map(float, pair)) for pair in self.degrees[best]])

    def _near(self, cell: Float64Array) -> BoolArray:
        same = np.flatnonzero((self.degrees == cell).all(axis=1))[0]
        near: BoolArray = self.vectors @ self.vectors[same] >= np.cos(_RADIUS_KM / _EARTH_KM)
        return near

    def _is_home(self, near: BoolArray) -> bool:
        days = _distinct(self.days[near])
        weeks = _distinct((self.days[near] - 1) // 7)  # ordinal 1 was a Monday
        elsewhere = _distinct(self.days[~near])
        return days >= _MIN_DAYS and (weeks >= _MIN_WEEKS or days >= 2 * elsewhere)


def _distinct(values: Int64Array) -> int:
    return len(np.unique(values))
