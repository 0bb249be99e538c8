"""Positions for photos from a GPS track: where the receiver was when the photo was taken.

Between two points of one segment at most ten minutes apart the position is interpolated; else it
is that of the nearest point, at most two minutes away.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from pathlib import Path

from core.domain.decision import Geotag
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.track import Track, TrackMatch, TrackPoint
from core.errors import NotInLibrary
from core.ingest.decisions.track import read_track
from core.ingest.sessions.zones import order_key, zone_of
from core.progress import Progress
from core.store.library import Library
from core.store.photos import TimelineEntry
from core.store.reach import ids_under

BETWEEN = timedelta(minutes=10)
BESIDE = timedelta(minutes=2)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GeotagOptions:
    """How photos are matched with a track.

    `offset` from UTC is that of clocks whose zone is not known; `clock_error` is what the clock
    showed too much; `replace` gives photos a new position that have one already.
    """

    offset: timedelta | None = None
    clock_error: timedelta = timedelta(0)
    replace: bool = False


class _Miss(Enum):
    """Why a photo gets no position."""

    AWAY = auto()
    UNDATED = auto()
    PLACED_ALREADY = auto()


def match_file(
    library: Library,
    file: Path,
    within: Sequence[Path],
    options: GeotagOptions,
    progress: Progress,
) -> TrackMatch:
    """Match a library's photos (those `within` some folders) with a GPX file.

    Raises InputError for what is no track, NotInLibrary for folders without photos, Cancelled.
    """
    track = read_track(file)
    inside = ids_under(library.database, within)
    if within and not inside:
        raise NotInLibrary("There is no photo of this library there.", "Index the folder first.")
    entries = (e for e in library.photos.timeline() if not within or e.photo_id in inside)
    return match_track(track, entries, options, progress)


def match_track(
    track: Track, entries: Iterable[TimelineEntry], options: GeotagOptions, progress: Progress
) -> TrackMatch:
    """Where photos were by a track, and how many could not be placed, and why."""
    points: list[tuple[PhotoId, GeoPoint]] = []
    misses: Counter[_Miss] = Counter()
    for entry in progress.track("photos", entries):
        found = _place(track, entry, options)
        if isinstance(found, _Miss):
            misses[found] += 1
        else:
            points.append((entry.photo_id, found))
    value = Geotag(tuple(points), track.name) if points else None
    return TrackMatch(
        value,
        len(points),
        misses[_Miss.AWAY],
        misses[_Miss.UNDATED],
        misses[_Miss.PLACED_ALREADY],
    )


def _place(track: Track, entry: TimelineEntry, options: GeotagOptions) -> GeoPoint | _Miss:
    if entry.point is not None and not options.replace:
        return _Miss.PLACED_ALREADY
    at = instant(entry, options.offset)
    if at is None:
        return _Miss.UNDATED
    try:
        point = position(track, at - options.clock_error)
    except OverflowError:
        return _Miss.AWAY
    return _Miss.AWAY if point is None else point


def instant(entry: TimelineEntry, offset: timedelta | None) -> datetime | None:
    """When a photo was taken in UTC: by its own offset or zone, the one given, or its neighbours'.

    Neighbours and home have told the order of naive times; one that they left as it is has none.
    """
    taken = entry.taken
    if taken is None or taken.precision is Precision.DAY or taken.source is ClockSource.FILE_TIME:
        return None
    key = order_key(taken)
    if taken.offset is None and zone_of(taken.zone) is None:
        key = _key_of_naive(taken, entry.order_key, offset)
    return None if key is None else _EPOCH + timedelta(seconds=key)


def _key_of_naive(
    taken: CaptureTime, known: float | None, offset: timedelta | None
) -> float | None:
    as_utc = order_key(taken)
    if offset is not None and as_utc is not None:
        return as_utc - offset.total_seconds()
    return None if known == as_utc else known


def position(track: Track, at: datetime) -> GeoPoint | None:
    """Where the receiver was at an instant; None where it did not know."""
    found = [one for segment in track.segments if (one := _in_segment(segment, at)) is not None]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _in_segment(segment: Sequence[TrackPoint], at: datetime) -> tuple[timedelta, GeoPoint] | None:
    """The position by one segment, and how far in time its nearest point is."""
    after = bisect_left(segment, at, key=lambda p: p.at)
    near = segment[max(0, after - 1) : after + 1]
    away = min(abs(p.at - at) for p in near)
    if len(near) == 2 and near[1].at - near[0].at <= BETWEEN:
        return away, _between(near[0], near[1], at)
    if away > BESIDE:
        return None
    return away, min(near, key=lambda p: abs(p.at - at)).point


def _between(before: TrackPoint, after: TrackPoint, at: datetime) -> GeoPoint:
    """On the straight line between two points, also across the date line."""
    span = (after.at - before.at) / timedelta(seconds=1)
    share = (at - before.at) / timedelta(seconds=1) / span if span else 0.0
    one, other = before.point, after.point
    east = (other.longitude - one.longitude + 180) % 360 - 180
    longitude = (one.longitude + share * east + 180) % 360 - 180
    altitude = one.altitude
    if one.altitude is not None and other.altitude is not None:
        altitude = one.altitude + share * (other.altitude - one.altitude)
    return GeoPoint(one.latitude + share * (other.latitude - one.latitude), longitude, altitude)
