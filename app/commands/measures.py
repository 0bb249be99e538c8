"""Times, offsets and positions as words of the command line, and back."""

import argparse
import re
from datetime import date, datetime, timedelta

from core.domain.place import GeoPoint

_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?)?$"
)
_SHIFT = re.compile(r"([+-])(?:(\d{1,6})d)?(?:(\d{1,3}):(\d{2})(?::(\d{2}))?)?$")
_POINT = re.compile(r"\s*([+-]?\d{1,3}(?:\.\d+)?)\s*,\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$")
_TICK = timedelta(microseconds=1)
_MOST_OFFSET = timedelta(hours=14)


def time_word(text: str) -> datetime:
    """The beginning of a day, minute or second, by a local clock."""
    return _span(text)[0]


def end_word(text: str) -> datetime:
    """The end of a day, minute or second, by a local clock."""
    return _span(text)[1]


def _span(text: str) -> tuple[datetime, datetime]:
    found = _TIME.match(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2021-07-03 or 2021-07-03T14:05:00"
        )
    *numbers, part = found.groups()
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    micro = int((part or "").ljust(6, "0"))
    try:
        first = datetime(year, month, day, hour, minute, second, micro)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not in the calendar: {error}") from error
    if part is not None:
        return first, first
    if numbers[5] is not None:
        return first, first.replace(microsecond=999_999)
    if numbers[4] is not None:
        return first, first.replace(second=59, microsecond=999_999)
    return first, first.replace(hour=23, minute=59, second=59, microsecond=999_999)


def date_word(text: str) -> date:
    """A day, written 2021-07-03."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write 2021-07-03") from error


def shift_word(text: str) -> timedelta:
    """What is added to a clock: ±HH:MM, ±HH:MM:SS, ±Nd, or both, ±NdHH:MM."""
    found = _SHIFT.match(text)
    if found is None or not any(found.groups()[1:]):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no correction; write what must be added, with its sign: "
            "+01:00, -00:02:30, +365d or +1d06:00"
        )
    days, hours, minutes, seconds = (int(n or 0) for n in found.groups()[1:])
    if minutes > 59 or seconds > 59:
        raise argparse.ArgumentTypeError(f"{text!r}: minutes and seconds end at 59")
    size = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -size if found[1] == "-" else size


def offset_word(text: str) -> timedelta:
    """An offset from UTC, ±HH:MM."""
    if re.fullmatch(r"[+-]\d{2}:\d{2}", text) is None or abs(shift_word(text)) > _MOST_OFFSET:
        raise argparse.ArgumentTypeError(f"{text!r} is no offset from UTC; write e.g. +02:00")
    return shift_word(text)


def point_word(text: str) -> GeoPoint:
    """A position in degrees, latitude first: 43.463,11.880."""
    found = _POINT.match(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no position; write latitude,longitude in degrees, e.g. -33.868,151.207"
        )
    point = GeoPoint(float(found[1]), float(found[2]))
    if abs(point.latitude) > 90 or abs(point.longitude) > 180:
        raise argparse.ArgumentTypeError(
            f"{text!r}: latitude comes first and ends at 90, longitude at 180"
        )
    return point


def km_word(text: str) -> float:
    """Kilometres, more than 0."""
    try:
        km = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of kilometres") from error
    if not 0 < km < 40_000:
        raise argparse.ArgumentTypeError("must be more than 0 km, and on this globe")
    return km


def rating_word(text: str) -> int:
    """0 to 5 stars, -1 for rejected."""
    if text not in ("-1", "0", "1", "2", "3", "4", "5"):
        raise argparse.ArgumentTypeError("must be 0 to 5 stars, or -1 for a rejected photo")
    return int(text)


def shift_text(shift: timedelta) -> str:
    """A correction as `shift_word` reads it."""
    sign, size = ("-", -shift) if shift < timedelta(0) else ("+", shift)
    size = timedelta(seconds=round(size.total_seconds()))
    minutes, seconds = divmod(size.seconds, 60)
    clock = f"{minutes // 60:02}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
    if size.days and clock == "00:00":
        return f"{sign}{size.days}d"
    return f"{sign}{size.days}d{clock}" if size.days else f"{sign}{clock}"


def time_text(time: datetime | None) -> str:
    """A local time to the second, as `time_word` reads it; "" where there is none."""
    return "" if time is None else time.isoformat(timespec="seconds")


def point_text(point: GeoPoint) -> str:
    """A position as `point_word` reads it."""
    return f"{point.latitude:.6f},{point.longitude:.6f}"
