"""When a photo was taken, how well that is known, and from where."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
"""Written out: the platform would otherwise name them by the machine's language."""


class ClockSource(StrEnum):
    """Where a capture time comes from, best first."""

    ORIGINAL = "DateTimeOriginal"
    DIGITIZED = "DateTimeDigitized"
    XMP = "XMP"
    IPTC = "IPTC"
    VIDEO = "video"
    TAKEOUT = "takeout"
    GPS = "GPS time"
    FILE_NAME = "file name"
    CHANGED = "DateTime"
    FILE_TIME = "file time"


KEPT_IN_UTC = (ClockSource.VIDEO, ClockSource.TAKEOUT, ClockSource.GPS)
"""Clocks that run on UTC: where they tell no other offset, the hour is not that of the place."""


class Precision(StrEnum):
    """How exact a capture time is."""

    SECOND = "second"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class CaptureTime:
    """Local wall-clock time of capture; `offset` only where the photo itself tells it.

    `zone` is an IANA name inferred from GPS, None where nothing is known: local time then
    stays naive and is never taken for UTC. `correction` is what the user's own word has
    added to what was recorded.
    """

    local: datetime
    offset: timedelta | None
    source: ClockSource
    precision: Precision
    zone: str | None = None
    correction: timedelta = timedelta(0)

    @property
    def absolute(self) -> datetime | None:
        """The instant in UTC, or None where the offset is not known."""
        if self.offset is None:
            return None
        return (self.local - self.offset).replace(tzinfo=UTC)

    @property
    def iso(self) -> str:
        """ISO 8601, with an offset only where it is known, the date alone at day precision."""
        if self.precision is Precision.DAY:
            return self.local.date().isoformat()
        if self.offset is None:
            return self.local.isoformat()
        return self.local.replace(tzinfo=timezone(self.offset)).isoformat()
