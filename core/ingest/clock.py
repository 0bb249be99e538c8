"""When a photo was taken, by one documented priority.

DateTimeOriginal (with SubSec and OffsetTimeOriginal), DateTimeDigitized (with its own), XMP,
GPS time (UTC), a date in the file name (day precision), the file's modification time. The first
that is a date wins, but a day alone never beats a second-precise time of the same day.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.ingest.gps import GpsTags

_DATE = re.compile(r"^\s*(\d{4})[:/.\-](\d{1,2})[:/.\-](\d{1,2})(?!\d)")
_TIME = re.compile(r"^[ T]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?")
_OFFSET = re.compile(r"^\s*([+\-])(\d{2}):(\d{2})$")
_NAMED = re.compile(
    r"(?<!\d)((?:19|20)\d{2})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])"
    r"(?=\D|$|\d{6}(?!\d)|\d{9}(?!\d))"
)
_NOT_DATES = (date(1899, 12, 30), date(1904, 1, 1), date(1970, 1, 1))
_FIRST_GPS = date(1980, 1, 7)
_OLDEST = 1826
_MAX_OFFSET = timedelta(hours=14)
_QUARTER = timedelta(minutes=15)
_GPS_LAG = timedelta(minutes=2)
_CLOCK_AHEAD = timedelta(hours=26)
"""A local time may be ahead of UTC by 14 h, and a clock a little wrong."""


@dataclass(frozen=True, slots=True)
class ClockTags:
    """The raw tags that tell a time; empty strings where they are absent."""

    original: str = ""
    original_subsec: str = ""
    original_offset: str = ""
    digitized: str = ""
    digitized_subsec: str = ""
    digitized_offset: str = ""
    xmp: str = ""
    gps: GpsTags = field(default_factory=GpsTags)


def read_clock(
    tags: ClockTags, file_name: str, modified_ns: int, now: datetime
) -> CaptureTime | None:
    """The capture time, None where nothing tells one; `now` (UTC) bounds what is the future."""
    times = [time for time in _candidates(tags, file_name, modified_ns) if is_date(time, now)]
    if not times:
        return None
    best = times[0]
    if best.precision is Precision.DAY:
        sharper = (t for t in times if t.precision is Precision.SECOND and _same_day(t, best))
        best = next(sharper, best)
    return _with_offset_of_gps(best, gps_time(tags.gps))


def _same_day(one: CaptureTime, other: CaptureTime) -> bool:
    return one.local.date() == other.local.date()


def _candidates(tags: ClockTags, file_name: str, modified_ns: int) -> Iterator[CaptureTime]:
    read = (
        parse_time(tags.original, tags.original_subsec, tags.original_offset, ClockSource.ORIGINAL),
        parse_time(
            tags.digitized, tags.digitized_subsec, tags.digitized_offset, ClockSource.DIGITIZED
        ),
        parse_time(tags.xmp, "", "", ClockSource.XMP),
        gps_time(tags.gps),
        name_date(file_name),
        file_time(modified_ns),
    )
    yield from (time for time in read if time is not None)


def is_date(time: CaptureTime, now: datetime) -> bool:
    """Whether it can be a capture time: no zeros, epochs of clocks that were never set, future."""
    day = time.local.date()
    if day.year < _OLDEST or day in _NOT_DATES:
        return False
    if time.offset is None:
        return time.local.replace(tzinfo=UTC) <= now + _CLOCK_AHEAD
    return time.local.replace(tzinfo=UTC) - time.offset <= now + timedelta(days=1)


def parse_time(text: str, subsec: str, offset: str, source: ClockSource) -> CaptureTime | None:
    """A date with or without time of day as EXIF or XMP write it; None where it is none."""
    text = text.replace("\0", " ").strip()
    found = _DATE.match(text)
    if found is None:
        return None
    rest = text[found.end() :]
    clock = _TIME.match(rest)
    if clock is None:
        local = _datetime(found.groups(), ())
        return None if local is None else CaptureTime(local, None, source, Precision.DAY)
    local = _datetime(found.groups(), clock.groups()[:3], clock.group(4) or subsec)
    if local is None:
        return None
    own = parse_offset(offset)
    if own is None:
        own = parse_offset(rest[clock.end() :])
    return CaptureTime(local, own, source, Precision.SECOND)


def _datetime(day: Sequence[str], clock: Sequence[str | None], subsec: str = "") -> datetime | None:
    digits = subsec.strip("\0 ")
    digits = digits if digits.isascii() and digits.isdigit() else ""
    micro = int(digits[:6].ljust(6, "0")) if digits else 0
    try:
        return datetime(*map(int, day), *(int(part or 0) for part in clock), microsecond=micro)  # type: ignore[misc,arg-type]
    except ValueError:
        return None


def parse_offset(text: str) -> timedelta | None:
    """An offset written ±HH:MM or Z, None where it is none."""
    text = text.replace("\0", " ").strip()
    if text == "Z":
        return timedelta(0)
    found = _OFFSET.match(text)
    if found is None or int(found[3]) >= 60:
        return None
    size = timedelta(hours=int(found[2]), minutes=int(found[3]))
    if size > _MAX_OFFSET:
        return None
    return -size if found[1] == "-" else size


def gps_time(tags: GpsTags) -> CaptureTime | None:
    """The GPS receiver's time, in UTC; None without date, time or a valid fix."""
    if tags.status.strip().upper() == "V":
        return None
    found = _DATE.match(tags.date.replace("\0", " "))
    parts = [part for part in tags.time if part is not None and math.isfinite(part)]
    if found is None or len(parts) != 3:
        return None
    day = _datetime(found.groups(), ())
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    if day is None or not 0 <= seconds < 86_401 or min(parts) < 0 or day.date() < _FIRST_GPS:
        return None
    try:
        local = day + timedelta(seconds=round(seconds, 3))
    except OverflowError:
        return None
    return CaptureTime(local, timedelta(0), ClockSource.GPS, Precision.SECOND)


def name_date(file_name: str) -> CaptureTime | None:
    """The date in a file name (IMG-20200102-WA0001, 2020-01-02 12.30, PXL_20200102_…), a day."""
    for found in _NAMED.finditer(file_name):
        local = _datetime((found[1], found[3], found[4]), ())
        if local is not None:
            return CaptureTime(local, None, ClockSource.FILE_NAME, Precision.DAY)
    return None


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
    from_tags = (ClockSource.ORIGINAL, ClockSource.DIGITIZED, ClockSource.XMP)
    if gps is None or time.offset is not None or time.precision is Precision.DAY:
        return time
    if time.source not in from_tags:
        return time
    apart = time.local - gps.local
    offset = round(apart / _QUARTER) * _QUARTER
    if abs(offset) > _MAX_OFFSET or abs(apart - offset) > _GPS_LAG:
        return time
    return replace(time, offset=offset)
