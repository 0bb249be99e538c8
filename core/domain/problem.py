"""Files that could not be taken into the library, and why."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class ProblemReason(StrEnum):
    """Why a file is not in the library; the first group failed, the second was skipped."""

    UNREADABLE = "unreadable"
    DAMAGED = "damaged"
    DECODER_CRASHED = "decoder_crashed"
    DECODER_TIMEOUT = "decoder_timeout"
    TOO_LARGE = "too_large"
    EMPTY = "empty"
    BROKEN_LINK = "broken_link"
    NOT_A_PHOTO = "not_a_photo"
    VIDEO = "video_not_supported"
    UNSUPPORTED = "unsupported_format"

    @property
    def failed(self) -> bool:
        """Whether the file looked like a photo and failed, rather than being skipped."""
        return self not in (
            ProblemReason.NOT_A_PHOTO,
            ProblemReason.VIDEO,
            ProblemReason.UNSUPPORTED,
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """One file that is not in the library: its path, the reason, a detail, and since when."""

    path: Path
    reason: ProblemReason
    detail: str
    since: datetime
