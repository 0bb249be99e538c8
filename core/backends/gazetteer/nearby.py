"""The city, region and country of a point; the nearest place alone would often be wrong.

The country is that of the time zone's polygon, so that a photo by a border river is not named
after the village on the other bank. The city is the largest one whose built-up area, guessed from
its population, reaches the point within the same region; else the nearest place. The nearest place
is then kept as the locality: Kreuzberg in Berlin.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.backends.gazetteer.sphere import (
    EARTH_KM,
    chord,
    degrees_on_sphere,
    geodesic_km,
    on_sphere,
)
from core.backends.gazetteer.table import Row, country_of_zones
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.arrays import Float64Array
from core.domain.place import GeoPoint, PlaceName

_CANDIDATES = 4
_CANDIDATES_ACROSS = 256
_ACROSS_KM = 60.0
_CITY = 50_000
_KM_OF_ROOT = 0.009
"""A city of n people reaches about this many kilometres times the root of n."""

_FARTHEST_KM = 50.0

_LOCALITY_KM = 5.0


class NearbyPlaces:
    """Finds what a point lies in; building it takes about half a second."""

    def __init__(self, rows: Sequence[Row], zones: ZoneFinder) -> None:
        self._rows = rows
        self._tree = _tree(rows)
        self._cities = [row for row in rows if row.population >= _CITY]
        self._city_tree = _tree(self._cities)
        people = np.array([row.population for row in self._cities], np.float64)
        self._city_chords = 2 * np.sin(_KM_OF_ROOT * np.sqrt(people) / EARTH_KM / 2)
        self._zones = zones
        self._countries = country_of_zones()

    def places(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The place of each point, with its distance from the place's middle."""
        if not points:
            return []
        sphere = on_sphere(points)
        _, near = self._tree.query(sphere, k=_CANDIDATES)
        return [
            self._place(point, vector, list(map(int, near_point)))
            for point, vector, near_point in zip(points, sphere, near, strict=True)
        ]

    def _place(self, point: GeoPoint, vector: Float64Array, near: list[int]) -> PlaceName:
        nearest = self._nearest(point, vector, near)
        distance = geodesic_km(point, nearest.point)
        around = [city for city in self._reaching(vector) if _same_region(city, nearest)]
        city = max(around, key=lambda row: row.population, default=nearest)
        if city.population <= nearest.population:
            return nearest.place(distance)
        locality = nearest.name if distance <= _LOCALITY_KM else ""
        return city.place(geodesic_km(point, city.point), locality)

    def _reaching(self, vector: Float64Array) -> list[Row]:
        """The cities whose built-up area holds the point."""
        around = np.array(self._city_tree.query_ball_point(vector, chord(_FARTHEST_KM)), np.int64)
        chords = np.linalg.norm(self._city_tree.data[around] - vector, axis=1)
        return [self._cities[i] for i in around[chords <= self._city_chords[around]]]

    def _nearest(self, point: GeoPoint, vector: Float64Array, near: list[int]) -> Row:
        """The nearest in the point's own country; of all where that is not known or far away."""
        rows = [self._rows[i] for i in near]
        country = self._countries.get(self._zones.zone(point) or "", "")
        own = [row for row in rows if row.country == country]
        if country and not own:
            _, more = self._tree.query(
                vector, k=_CANDIDATES_ACROSS, distance_upper_bound=chord(_ACROSS_KM)
            )
            found = (self._rows[int(i)] for i in more if i < len(self._rows))
            own = [row for row in found if row.country == country][:_CANDIDATES]
        return min(own or rows, key=lambda row: geodesic_km(point, row.point))


def _tree(rows: Sequence[Row]) -> Any:
    degrees = np.array([(row.latitude, row.longitude) for row in rows], np.float64)
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to import, and searches need none

    return cKDTree(degrees_on_sphere(degrees))


def _same_region(one: Row, other: Row) -> bool:
    return (one.region, one.country) == (other.region, other.country)
