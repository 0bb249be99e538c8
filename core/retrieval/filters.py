"""Hard filters on when and where photos were taken, over whole columns at once."""

import numpy as np
import numpy.typing as npt

from core.domain.arrays import BoolArray, Float64Array
from core.domain.place import GeoPoint
from core.domain.query import PlaceFilter, TimeFilter
from core.store.columns import PhotoColumns

_EARTH_RADIUS_KM = 6371.0088
_THURSDAY = 3
"""1970-01-01 was a Thursday; weekdays count from Monday."""


def taken_when(columns: PhotoColumns, when: TimeFilter) -> BoolArray:
    """Which photos were taken at such a time by their local clock; undated ones never match.

    Hours match only where the photo's hour is known.
    """
    days = columns.taken.astype("datetime64[D]")
    held: BoolArray = ~np.isnat(columns.taken)
    if when.earliest is not None:
        held &= days >= np.datetime64(when.earliest, "D")
    if when.latest is not None:
        held &= days <= np.datetime64(when.latest, "D")
    if when.months:
        months = days.astype("datetime64[M]")
        held &= _among(months.astype(np.int64) % 12 + 1, when.months)
    if when.weekdays:
        held &= _among((days.astype(np.int64) + _THURSDAY) % 7, when.weekdays)
    if when.hours:
        hours = (columns.taken - days).astype("timedelta64[h]").astype(np.int64)
        held &= columns.timed & _among(hours, when.hours)
    return held


def taken_where(columns: PhotoColumns, where: PlaceFilter) -> BoolArray:
    """Which photos were taken there: within the radius of a point, in the country or a region.

    A filter with several of them takes the photos that satisfy any: the country and region of a
    photo are those of the named place nearest to it.
    """
    held: BoolArray = np.zeros(len(columns.ids), np.bool_)
    if where.points:
        held |= nearest_km(columns, where) <= where.radius_km
    if where.country:
        held |= columns.country == where.country
    for region, country in where.regions:
        held |= (columns.region == region) & (columns.country == country)
    return held


def nearest_km(columns: PhotoColumns, where: PlaceFilter) -> Float64Array:
    """Kilometres from each photo to the nearest of the filter's points; inf where unknown."""
    nearest: Float64Array = np.full(len(columns.ids), np.inf)
    for point in where.points:
        nearest = np.fmin(nearest, distance_km(columns, point))
    return nearest


def distance_km(columns: PhotoColumns, point: GeoPoint) -> Float64Array:
    """Great-circle kilometres from each photo to a point; NaN where a photo has no position."""
    latitude, longitude = np.radians(columns.latitude), np.radians(columns.longitude)
    to_latitude, to_longitude = np.radians(point.latitude), np.radians(point.longitude)
    half = (
        np.sin((latitude - to_latitude) / 2) ** 2
        + np.cos(latitude) * np.cos(to_latitude) * np.sin((longitude - to_longitude) / 2) ** 2
    )
    km: Float64Array = 2 * _EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(half, 1.0)))
    return km


def _among(values: npt.NDArray[np.int64], wanted: frozenset[int]) -> BoolArray:
    return np.isin(values, list(wanted))
