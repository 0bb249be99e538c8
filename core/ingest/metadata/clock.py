"""When a photo was taken, by one documented priority.

DateTimeOriginal (with SubSec and OffsetTimeOriginal), DateTimeDigitized (with its own), XMP,
IPTC, a video's own time, Takeout's photoTakenTime (UTC), GPS time (UTC), a date in the file name
(day precision), DateTime (when a program last changed the picture, with OffsetTime), the file's
modification time: the order of `ClockSource`. The first that is a date wins, but a day alone
never beats a second-precise time of the same day.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.ingest.metadata.clock_text import MAX_OFFSET, name_date, parse_date, parse_time
from core.ingest.metadata.gps import NO_GPS, GpsTags

_RANKS = {source: rank for rank, source in enumerate(ClockSource)}
_NOT_DATES = (date(1899, 12, 30), date(1904, 1, 1), date(1970, 1, 1))
_NOT_TIMES = (datetime(1980, 1, 1),)
"""Where clocks begin that were never set; a day that begins so is no evidence either."""

_FIRST_GPS = date(1980, 1, 7)
_OLDEST = 1826
_QUARTER = timedelta(minutes=15)
_GPS_LAG = timedelta(minutes=2)
_ROLLOVER = timedelta(weeks=1024)
_NEAR = timedelta(days=1, hours=14)
"""A witness in local time, perhaps a day alone, may be so far from a time in UTC."""

_CLOCK_AHEAD = timedelta(hours=26)
"""A local time may be ahead of UTC by 14 h, and a clock a little wrong."""

_OF_CAMERA = (ClockSource.ORIGINAL, ClockSource.DIGITIZED, ClockSource.XMP)


@dataclass(frozen=True, slots=True)
class ClockTags:
    """The raw tags that tell a time; empty strings where they are absent.

    `changed` is EXIF's DateTime. Each time has fraction and offset of its own.
    """

    original: str = ""
    original_subsec: str = ""
    original_offset: str = ""
    digitized: str = ""
    digitized_subsec: str = ""
    digitized_offset: str = ""
    changed: str = ""
    changed_subsec: str = ""
    changed_offset: str = ""
    xmp: str = ""
    iptc: str = ""
    gps: GpsTags = NO_GPS


def read_clock(
    tags: ClockTags, file_name: str, modified_ns: int, now: datetime
) -> CaptureTime | None:
    """The capture time, None where nothing tells one; `now` (UTC) bounds what is the future."""
    told = list(_told(tags, file_name, modified_ns))
    gps = _unrolled(gps_time(tags.gps), told)
    best = best_time([*told, *([gps] if gps else [])], now)
    return None if best is None else _with_offset_of_gps(best, gps)


def best_time(times: Iterable[CaptureTime], now: datetime) -> CaptureTime | None:
    """The one that the priority puts first (of one source the first), None where none is a date."""
    dates = sorted((t for t in times if is_date(t, now)), key=lambda t: _RANKS[t.source])
    if not dates:
        return None
    best = dates[0]
    if best.precision is Precision.DAY:
        sharper = (t for t in dates if t.precision is Precision.SECOND and _same_day(t, best))
        best = next(sharper, best)
    return best


def _same_day(one: CaptureTime, other: CaptureTime) -> bool:
    return one.local.date() == other.local.date()


def _told(tags: ClockTags, file_name: str, modified_ns: int) -> Iterator[CaptureTime]:
    """Every time that the tags and the file tell, but for the GPS receiver's."""
    parts = (
        (tags.original, tags.original_subsec, tags.original_offset, ClockSource.ORIGINAL),
        (tags.digitized, tags.digitized_subsec, tags.digitized_offset, ClockSource.DIGITIZED),
        (tags.changed, tags.changed_subsec, tags.changed_offset, ClockSource.CHANGED),
        (tags.xmp, "", "", ClockSource.XMP),
        (tags.iptc, "", "", ClockSource.IPTC),
    )
    times = [parse_time(*part) for part in parts if part[0]]
    times += [name_date(file_name), file_time(modified_ns)]
    yield from (time for time in times if time is not None)


def is_date(time: CaptureTime, now: datetime) -> bool:
    """Whether it can be a capture time: no zeros, epochs of clocks that were never set, future."""
    day = time.local.date()
    if day.year < _OLDEST or day in _NOT_DATES or time.local in _NOT_TIMES:
        return False
    ahead = _CLOCK_AHEAD if time.offset is None else timedelta(days=1) + time.offset
    return time.local.replace(tzinfo=UTC) <= now + ahead  # the last year of all has no later


def gps_time(tags: GpsTags) -> CaptureTime | None:
    """The GPS receiver's time, in UTC; None without date, time or a valid fix."""
    if tags.status.strip("\0 ").upper() == "V":
        return None
    day = parse_date(tags.date)
    parts = [part for part in tags.time if part is not None and math.isfinite(part)]
    if day is None or len(parts) != 3 or len(tags.time) != 3:
        return None
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    if not 0 <= seconds < 86_401 or min(parts) < 0 or day.date() < _FIRST_GPS:
        return None
    try:
        local = day + timedelta(seconds=round(seconds, 3))
    except OverflowError:
        return None
    return CaptureTime(local, timedelta(0), ClockSource.GPS, Precision.SECOND)


def _unrolled(gps: CaptureTime | None, told: Iterable[CaptureTime]) -> CaptureTime | None:
    """GPS time whose receiver's count of weeks ran over, where another date bears witness."""
    if gps is None:
        return None
    witnesses = [time.local for time in told]
    for weeks in (timedelta(0), _ROLLOVER, 2 * _ROLLOVER):
        try:
            local = gps.local + weeks
        except OverflowError:
            return gps
        if any(abs(local - witness) <= _NEAR for witness in witnesses):
            return replace(gps, local=local)
    return gps


def file_time(modified_ns: int) -> CaptureTime | None:
    """When the file was last written: an instant, shown in this computer's local time."""
    if modified_ns <= 0:
        return None
    try:
        moment = datetime.fromtimestamp(modified_ns // 1_000_000_000, UTC).astimezone()
    except (OverflowError, ValueError, OSError):
        return None
    offset = moment.utcoffset()
    return CaptureTime(moment.replace(tzinfo=None), offset, ClockSource.FILE_TIME, Precision.SECOND)


def _with_offset_of_gps(time: CaptureTime, gps: CaptureTime | None) -> CaptureTime:
    """Local time minus GPS time, where that is an offset that zones have (quarters of an hour)."""
    if gps is None or time.offset is not None or time.precision is Precision.DAY:
        return time
    if time.source not in _OF_CAMERA:
        return time
    apart = time.local - gps.local
    offset = round(apart / _QUARTER) * _QUARTER
    if abs(offset) > MAX_OFFSET or abs(apart - offset) > _GPS_LAG:
        return time
    return replace(time, offset=offset)
