"""Who or what takes photos, and what is known of their clocks."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum

from core.domain.decision import ClockShift
from core.domain.photo import PhotoId


class Trust(IntEnum):
    """How far a device's clock can be believed, by what sets it."""

    BY_HAND = 0
    WITH_OFFSETS = 1
    WITH_GPS = 2
    PHONE = 3


@dataclass(frozen=True, slots=True)
class Contributor:
    """A person or device: photos (that have a file), devices, and the times that they recorded.

    `first` and `last` are local times as recorded, before any correction, None where no photo has
    one of its own; `corrected` counts the photos whose time the user corrected.
    """

    name: str
    photos: int
    devices: tuple[str, ...]
    first: datetime | None
    last: datetime | None
    corrected: int
    trust: Trust


@dataclass(frozen=True, slots=True)
class SeenTwice:
    """One scene by two devices: `apart` is what the right clock shows more than the other."""

    wrong: PhotoId
    right: PhotoId
    apart: timedelta
    similarity: float


@dataclass(frozen=True, slots=True)
class ClockProposal:
    """A clock that seems wrong, and the evidence, in order of time.

    `shift` added to what `wrong` recorded from `first` to `last` brings it to the clock of the
    device `right`.
    """

    wrong: str
    right: str
    shift: timedelta
    first: datetime
    last: datetime
    evidence: tuple[SeenTwice, ...]

    @property
    def value(self) -> ClockShift:
        """The decision that follows where the user agrees."""
        return ClockShift(self.wrong, self.first, self.last, self.shift)
