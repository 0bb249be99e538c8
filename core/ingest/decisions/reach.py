"""Which photos a decision is about."""

from math import cos, radians

from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.ingest.sessions.distance import is_farther
from core.store.library import Library
from core.store.reach import Box, points_in, recorded_times

_KM_A_DEGREE = 110.0
"""A little less than the least on any meridian, so that boxes are rather too large."""


def reached(library: Library, value: DecisionValue) -> list[PhotoId]:
    """The photos whose facts a decision changes or may change, by id for ranged ones.

    Decisions on sessions, on home and on answers change no photo.
    """
    match value:
        case ContributorSet() | KindSet() | TitleSet() | RatingSet() | TagsSet():
            return list(dict.fromkeys(value.photos))
        case Geotag(points):
            return list(dict.fromkeys(photo_id for photo_id, _ in points))
        case ClockShift(contributor, first, last):
            return list(recorded_times(library.database, contributor, first, last))
        case PlaceNamed(_, point, radius_km):
            return _around(library, point, radius_km)
        case PlaceForgotten(name):
            return _around_all(library, name)
        case _:
            return []


def _around(library: Library, point: GeoPoint, radius_km: float) -> list[PhotoId]:
    near = points_in(library.database, box_around(point, radius_km))
    return [i for i, there in near.items() if not is_farther(point, there, radius_km)]


def _around_all(library: Library, name: str) -> list[PhotoId]:
    """Every photo around places that ever had this name of the user's."""
    named = (own for own in library.decisions.of(PlaceNamed) if own.name == name)
    ids = {photo_id for own in named for photo_id in _around(library, own.point, own.radius_km)}
    return sorted(ids)


def box_around(point: GeoPoint, radius_km: float) -> Box:
    """A box that holds every point within the radius; the whole turn near the poles."""
    high = radius_km / _KM_A_DEGREE
    south, north = point.latitude - high, point.latitude + high
    widest = max(abs(south), abs(north))
    wide = 180.0 if widest >= 89 else high / cos(radians(widest))
    if wide >= 180:
        return Box(south, north, -180.0, 180.0)
    west, east = point.longitude - wide, point.longitude + wide
    return Box(south, north, west + 360 * (west < -180), east - 360 * (east > 180))
