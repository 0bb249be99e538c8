"""Points on a globe as unit vectors: nearest by chord is nearest, across the date line too."""

from collections.abc import Sequence

import numpy as np
from geopy.distance import geodesic

from core.domain.arrays import Float64Array
from core.domain.place import GeoPoint

EARTH_KM = 6371.0088


def on_sphere(points: Sequence[GeoPoint]) -> Float64Array:
    """Unit vectors (n, 3) of points."""
    return degrees_on_sphere(np.array([(p.latitude, p.longitude) for p in points], np.float64))


def degrees_on_sphere(degrees: Float64Array) -> Float64Array:
    """Unit vectors (n, 3) of latitudes and longitudes (n, 2)."""
    latitude, longitude = np.radians(degrees).T
    flat = np.cos(latitude)
    return np.stack((flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)), axis=1)


def chord(km: float) -> float:
    """The chord, in radii, of a distance on the globe."""
    return 2 * float(np.sin(km / EARTH_KM / 2))


def geodesic_km(one: GeoPoint, other: GeoPoint) -> float:
    """Kilometres between two points on the ellipsoid."""
    return float(geodesic((one.latitude, one.longitude), (other.latitude, other.longitude)).km)
