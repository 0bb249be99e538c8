"""The user's own names for places, found before those of the gazetteer."""

from collections.abc import Sequence

from core.backends.gazetteer.names import fold
from core.domain.decision import PlaceForgotten, PlaceNamed
from core.domain.place import GeoPoint, PlaceName
from core.ingest.decisions.corrections import standing_names
from core.protocols import Gazetteer
from core.store.library import Library

_ARTICLE = "the "


def own_places(library: Library) -> tuple[PlaceNamed, ...]:
    """The user's own names that hold, smallest radius first."""
    return standing_names(library.decisions.of(PlaceNamed, PlaceForgotten))


class OwnPlaces:
    """A gazetteer that knows the user's names too; their `distance_km` is the place's radius."""

    def __init__(self, gazetteer: Gazetteer, names: Sequence[PlaceNamed]) -> None:
        self._gazetteer = gazetteer
        self._names: dict[str, list[PlaceName]] = {}
        for own in names:
            place = PlaceName(own.name, "", "", own.radius_km, own.point, own=True)
            self._names.setdefault(_spelled(own.name), []).append(place)

    @property
    def version(self) -> str:
        """That of the gazetteer."""
        return self._gazetteer.version

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """As the gazetteer names them."""
        return self._gazetteer.nearest(points)

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """The user's places of that name, else those of the gazetteer."""
        return tuple(self._names.get(_spelled(name), ())) or self._gazetteer.find(name)


def _spelled(name: str) -> str:
    """A name without case and accents, and without "the", which people say or leave out."""
    return fold(name).removeprefix(_ARTICLE)
