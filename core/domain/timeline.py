"""The library in capture order, as a window shows it."""

from dataclasses import dataclass
from datetime import date, datetime

from core.domain.photo import PhotoId


@dataclass(frozen=True, slots=True)
class TimelineSection:
    """The photos of one day in one session, in capture order; `day` None for undated ones.

    `begins` and `ends` are local times of its photos, None where none is known to the second.
    """

    day: date | None
    session_id: int | None
    place: str
    photo_ids: tuple[PhotoId, ...]
    begins: datetime | None = None
    ends: datetime | None = None
