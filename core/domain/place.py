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
    """The nearest named place: its name, region and ISO country code, and how far it is."""

    name: str
    region: str
    country: str
    distance_km: float
    point: GeoPoint

    @property
    def text(self) -> str:
        """The name as a person reads it."""
        return ", ".join(part for part in (self.name, self.region, self.country) if part)
