"""Places, regions and countries by their names, the likeliest first.

A country comes first; else what has most people. A region counts with all of its places, but
after its own city of that name (New York is the city, Florida the state). A name that a city only
has in another language counts with a third of its people.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.backends.gazetteer.names import fold
from core.backends.gazetteer.sphere import EARTH_KM, degrees_on_sphere, on_sphere
from core.backends.gazetteer.table import Row, country_names, other_names, zone_lines
from core.domain.place import GeoPoint, PlaceName

_MOST = 0.9
_OTHER_NAME = 0.34


class _Whole(NamedTuple):
    """A region or country as all its places; measured only when it is asked for."""

    region: str
    country: str
    rows: list[Row]


class _Hit(NamedTuple):
    """Something of a name, and how many people stand for it."""

    what: Row | _Whole
    weight: float


class NameIndex:
    """Finds places of a name; building it takes about a second."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._hits: dict[str, list[_Hit]] = {}
        self._found: dict[str, tuple[PlaceName, ...]] = {}
        zones = frozenset(_zone_cities())
        named = [(row, tuple(_names_of(row, zones))) for row in rows]
        for row, names in named:
            for name in names:
                self._add(name, row, row.population)
        self._add_other_names(rows)
        self._add_wholes(named)

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """Everything of a folded name, likeliest first."""
        if name not in self._found:
            hits = sorted(self._hits.get(name, []), key=lambda hit: -hit.weight)
            self._found[name] = tuple(dict.fromkeys(_place(hit.what) for hit in hits))
        return self._found[name]

    def _add(self, name: str, what: Row | _Whole, weight: float) -> None:
        self._hits.setdefault(name, []).append(_Hit(what, weight))

    def _add_other_names(self, rows: Sequence[Row]) -> None:
        known: dict[tuple[str, str], Row] = {}
        for row in rows:
            key = row.country, row.name
            if key not in known or known[key].population < row.population:
                known[key] = row
        for other, country, name in other_names():
            city = known.get((country, name))
            if city is not None:
                self._add(other, city, city.population * _OTHER_NAME)

    def _add_wholes(self, named: Sequence[tuple[Row, tuple[str, ...]]]) -> None:
        regions: dict[tuple[str, str], list[tuple[Row, tuple[str, ...]]]] = {}
        countries: dict[str, list[Row]] = {}
        for row, names in named:
            if row.region:
                regions.setdefault((row.region, row.country), []).append((row, names))
            countries.setdefault(row.country, []).append(row)
        for (region, country), members in regions.items():
            name = fold(region)
            cities = [row.population for row, names in members if name in names]
            people = max(cities) - 0.5 if cities else sum(row.population for row, _ in members)
            self._add(name, _Whole(region, country, [row for row, _ in members]), people)
        for country, called in country_names():
            if country in countries:
                self._add(fold(called), _Whole("", country, countries[country]), float("inf"))


def _zone_cities() -> Iterator[tuple[str, str]]:
    """Folded city and country of every time zone's name."""
    for country, _, zone, *_ in zone_lines("zone.tab"):
        yield fold(zone.rsplit("/", 1)[-1].replace("_", " ")), country


def _names_of(row: Row, zones: frozenset[tuple[str, str]]) -> Iterator[str]:
    """Its name, and what people say for it: "Washington, D.C.", "New York City"."""
    name = fold(row.name)
    yield name
    short = name.split(",")[0].removesuffix(" city")
    if short != name and ("," in name or (short, row.country) in zones):
        yield short


def _short(name: str) -> str:
    return name.split(",", maxsplit=1)[0].removesuffix(" city")


def _place(what: Row | _Whole) -> PlaceName:
    return what.place(0.0) if isinstance(what, Row) else _measured(what)


def _measured(whole: _Whole) -> PlaceName:
    """A region or country: its middle by medians that also hold across the date line."""
    degrees = np.array([(row.latitude, row.longitude) for row in whole.rows], np.float64)
    base = degrees[0, 1]
    turned = np.median((degrees[:, 1] - base + 180) % 360 - 180)
    middle = GeoPoint(float(np.median(degrees[:, 0])), float((base + turned + 180) % 360 - 180))
    chords = np.linalg.norm(degrees_on_sphere(degrees) - on_sphere([middle]), axis=1)
    reach = 2 * EARTH_KM * float(np.arcsin(np.quantile(chords, _MOST) / 2))
    return PlaceName("", whole.region, whole.country, reach, middle)
