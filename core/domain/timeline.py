"""The library in capture order, as a window shows it."""

from dataclasses import dataclass
from datetime import date

from core.domain.photo import PhotoId


@dataclass(frozen=True, slots=True)
class TimelineSection:
    """The photos of one day in one session, in capture order; `day` None for undated ones."""

    day: date | None
    session_id: int | None
    place: str
    photo_ids: tuple[PhotoId, ...]
