"""Sessions (runs of photos without a long gap or jump) and trips (runs of sessions away)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.domain.moment import CaptureTime
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint

BETWEEN_CONTRIBUTORS = " + "
"""Between the names of those whose photos are one session."""


class SplitRule(StrEnum):
    """Which rule began a session or trip."""

    FIRST = "first"
    GAP = "gap"
    JUMP = "jump"
    HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Split:
    """Why a run begins here: the rule and its measured amount (hours for a gap, km for a jump)."""

    rule: SplitRule
    amount: float = 0.0

    @property
    def text(self) -> str:
        """The reason in words."""
        match self.rule:
            case SplitRule.GAP:
                return f"{self.amount:.1f} h since the photo before"
            case SplitRule.JUMP:
                return f"{self.amount:.0f} km from the photo before"
            case SplitRule.HAND:
                return "split by hand"
            case SplitRule.FIRST:
                return "the first photo"


@dataclass(frozen=True, slots=True)
class Session:
    """A run of photos, in capture order, with no gap > 6 h and no jump > 20 km."""

    id: int
    contributor: str
    photo_ids: tuple[PhotoId, ...]
    start: CaptureTime
    end: CaptureTime
    split: Split
    center: GeoPoint | None
    place: str


@dataclass(frozen=True, slots=True)
class Trip:
    """A maximal run of sessions away from home; sessions in order."""

    id: int
    sessions: tuple[Session, ...]
    split: Split
    place: str

    @property
    def photo_ids(self) -> tuple[PhotoId, ...]:
        """All photos of the trip, in capture order of its sessions."""
        return tuple(photo for session in self.sessions for photo in session.photo_ids)


@dataclass(frozen=True, slots=True)
class TimedSession:
    """A session with its first and last photo's seconds since 1970 UTC; `is_weak` where only
    file times date it."""

    session: Session
    start: float
    end: float
    is_weak: bool


@dataclass(frozen=True, slots=True)
class SessionSpan:
    """What trips are made of: a session's place in time and space, without its photos.

    `start` and `end` are seconds since 1970 UTC, `local` the local time of its first photo.
    """

    id: int
    contributor: str
    start: float
    end: float
    local: datetime
    center: GeoPoint | None
    place: str
    photos: int


@dataclass(frozen=True, slots=True)
class TripSpan:
    """A trip by the sessions that it is made of, in order."""

    sessions: tuple[SessionSpan, ...]
    split: Split
    place: str
