"""Distances on the globe: geodesic where it matters, a bound where that is enough."""

from collections.abc import Sequence
from math import asin, cos, radians, sin, sqrt
from statistics import median

from geopy.distance import geodesic

from core.domain.place import GeoPoint

_EARTH_KM = 6371.0088
_ERROR = 0.01
"""The sphere is never wrong by more than 0.6 % of a distance."""


def distance_km(one: GeoPoint, other: GeoPoint) -> float:
    """Geodesic distance on WGS 84 in kilometres."""
    return float(geodesic((one.latitude, one.longitude), (other.latitude, other.longitude)).km)


def is_farther(one: GeoPoint, other: GeoPoint, km: float) -> bool:
    """Whether the geodesic distance is greater; exact, and quick where the sphere decides."""
    rough = _on_sphere(one, other)
    if abs(rough - km) > km * _ERROR * 2:
        return rough > km
    return distance_km(one, other) > km


def _on_sphere(one: GeoPoint, other: GeoPoint) -> float:
    """Haversine formula."""
    south, north = radians(one.latitude), radians(other.latitude)
    across = sin(radians(other.longitude - one.longitude) / 2) ** 2
    chord = sin((north - south) / 2) ** 2 + cos(south) * cos(north) * across
    return 2 * _EARTH_KM * asin(sqrt(min(1.0, chord)))


def median_point(points: Sequence[GeoPoint]) -> GeoPoint | None:
    """The median of latitudes and of longitudes, also across the date line; None of none."""
    if not points:
        return None
    base = points[0].longitude
    turned = [(p.longitude - base + 180) % 360 - 180 for p in points]
    longitude = (base + median(turned) + 180) % 360 - 180
    return GeoPoint(median(p.latitude for p in points), longitude)
