"""The gazetteer of the engine: where points lie, and where names are."""

import threading
from collections.abc import Sequence
from functools import cached_property

from core.backends.gazetteer.index import NameIndex
from core.backends.gazetteer.names import fold
from core.backends.gazetteer.nearby import NearbyPlaces
from core.backends.gazetteer.table import Row, read_rows, table_version
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.place import GeoPoint, PlaceName


class OfflineGazetteer:
    """Finds the place of a point and the places of a name; loads with the first question.

    Safe across threads. Raises ModelMissing where reverse_geocode is not installed.
    """

    def __init__(self) -> None:
        self._loading = threading.RLock()

    @property
    def version(self) -> str:
        """Changes when places may be named otherwise than before."""
        return table_version()

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The city, region and country of each point, and how far its middle is."""
        with self._loading:
            places = self._nearby
        return places.places(points)

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """Places, regions and countries of exactly that name, likeliest first; () if none.

        Case and accents do not matter. `distance_km` is 0 for places, and for regions and
        countries how far nine tenths of their places lie from their middle.
        """
        folded = fold(name)
        if not folded:
            return ()
        with self._loading:
            return self._names.find(folded)

    @cached_property
    def _rows(self) -> list[Row]:
        return read_rows()

    @cached_property
    def _nearby(self) -> NearbyPlaces:
        return NearbyPlaces(self._rows, ZoneFinder())

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self._rows)
