"""Dates and offsets as EXIF, XMP, IPTC and file names write them."""

import re
from datetime import datetime, timedelta

from core.domain.moment import CaptureTime, ClockSource, Precision

MAX_OFFSET = timedelta(hours=14)
_DATE = re.compile(
    r"\s*(\d{4})(?:[:/.\-]\s?(\d{1,2})[:/.\-]\s?(\d{1,2})(?!\d)|(\d\d)(\d\d)(?!\d))", re.ASCII
)
_TIME = re.compile(
    r"[ T]+(\d{1,2})(?:[:.]\s?(\d{1,2})(?:[:.]\s?(\d{1,2})(?:[.,](\d{1,9})\d*)?)?|(\d\d)(\d\d))"
    r"(?!\d)",
    re.ASCII,
)
_HALF = re.compile(r"\s*([AaPp])\.?[Mm]\b\.?")
_OFFSET = re.compile(r"([+\-\u2212])(\d{2}):?(\d{2})", re.ASCII)
_NAMED = re.compile(
    r"(?<!\d)((?:19|20)\d{2})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])"
    r"(?=\D|$|\d{6}(?!\d)|\d{9}(?!\d))",
    re.ASCII,
)
_OF_MACHINES = re.compile(
    r"[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)
"""Checksums and UUIDs: their digits are no dates."""

_MAX_NAME = 255


def parse_time(text: str, subsec: str, offset: str, source: ClockSource) -> CaptureTime | None:
    """A date with or without time of day; None where it is none.

    The offset is the one given, else the one in the text itself.
    """
    text = text[:80].replace("\0", " ").strip()
    found = _DATE.match(text)
    if found is None:
        return None
    day = (found[1], found[2] or found[4], found[3] or found[5])
    rest = text[found.end() :]
    clock = _TIME.match(rest)
    if clock is None:
        local = _datetime(day)
        return None if local is None else CaptureTime(local, None, source, Precision.DAY)
    rest = rest[clock.end() :]
    half = _HALF.match(rest)
    minute, second = clock[2] or clock[5], clock[3] or clock[6]
    hour = _hour(clock[1], half[1] if half else "")
    local = _datetime(day, (hour, minute or "0", second or "0"), clock[4] or subsec)
    if local is None:
        return None
    own = parse_offset(offset)
    if own is None:
        own = parse_offset(rest[half.end() :] if half else rest)
    return CaptureTime(local, own, source, Precision.SECOND)


def _hour(text: str, half: str) -> str:
    if not half or not 1 <= int(text) <= 12:
        return text
    return str(int(text) % 12 + (12 if half in "Pp" else 0))


def _datetime(
    day: tuple[str, str, str], clock: tuple[str, str, str] = ("0", "0", "0"), subsec: str = ""
) -> datetime | None:
    digits = subsec.strip("\0 ")
    digits = digits if digits.isascii() and digits.isdigit() else ""
    micro = int(digits[:6].ljust(6, "0")) if digits else 0
    year, month, date = map(int, day)
    hour, minute, second = map(int, clock)
    try:
        return datetime(
            year, month, date, hour, minute, min(second, 59) if second == 60 else second, micro
        )
    except ValueError:
        return None


def parse_date(text: str) -> datetime | None:
    """The midnight that begins a date; None where the text begins with none."""
    found = _DATE.match(text[:80].replace("\0", " "))
    return (
        None if found is None else _datetime((found[1], found[2] or found[4], found[3] or found[5]))
    )


def parse_offset(text: str) -> timedelta | None:
    """An offset written ±HH:MM, ±HHMM or Z, None where it is none."""
    text = text[:40].replace("\0", " ").strip()
    if text == "Z":
        return timedelta(0)
    found = _OFFSET.fullmatch(text)
    if found is None or int(found[3]) >= 60:
        return None
    size = timedelta(hours=int(found[2]), minutes=int(found[3]))
    if size > MAX_OFFSET:
        return None
    return size if found[1] == "+" else -size


def name_date(file_name: str) -> CaptureTime | None:
    """The date in a file name (IMG-20200102-WA0001, 2020-01-02 12.30, PXL_20200102_…), a day."""
    name = file_name[:_MAX_NAME]
    if _OF_MACHINES.search(name):
        return None
    for found in _NAMED.finditer(name):
        local = _datetime((found[1], found[3], found[4]))
        if local is not None:
            return CaptureTime(local, None, ClockSource.FILE_NAME, Precision.DAY)
    return None
