"""Where a photo was taken."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GeoPoint:
    """A point on the globe: degrees WGS 84, altitude in metres above sea where known."""

    latitude: float
    longitude: float
    altitude: float | None = None


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A place: its name, region and ISO country code, and how far its middle is.

    `locality` is the part of a city, "" where there is none or the place is that itself; `own`
    says that the name is the user's.
    """

    name: str
    region: str
    country: str
    distance_km: float
    point: GeoPoint
    locality: str = ""
    own: bool = False

    @property
    def text(self) -> str:
        """The name as a person reads it."""
        return ", ".join(part for part in self._parts if part)

    @property
    def _parts(self) -> tuple[str, ...]:
        return self.locality, self.name, self.region, self.country
