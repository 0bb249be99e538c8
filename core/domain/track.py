"""Where a GPS receiver was."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.decision import Geotag
from core.domain.place import GeoPoint


@dataclass(frozen=True, slots=True)
class TrackPoint:
    """A position at an instant, in UTC."""

    at: datetime
    point: GeoPoint


@dataclass(frozen=True, slots=True)
class Track:
    """A receiver's record: segments of points in order of time; within one it saw the sky."""

    name: str
    segments: tuple[tuple[TrackPoint, ...], ...]


@dataclass(frozen=True, slots=True)
class TrackMatch:
    """Photos on a track: the decision that would place them, None where it places none.

    `placed` photos get a position; `away` have no point of the track near in time; of `undated`
    the instant is not known: no time, a day alone, or a clock whose zone nobody knows;
    `placed_already` have a position, which is left alone.
    """

    value: Geotag | None
    placed: int
    away: int
    undated: int
    placed_already: int
