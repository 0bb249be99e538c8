"""What goes to a decoding process and what comes back."""

from dataclasses import dataclass, field

from core.domain.moment import CaptureTime
from core.domain.photo import (
    NO_LOOK,
    Camera,
    Companion,
    ContentHash,
    FileStamp,
    Look,
    PhotoKind,
    PointSource,
)
from core.domain.place import GeoPoint
from core.domain.problem import ProblemReason
from core.domain.tag import Tag
from core.paths import LibraryPaths


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """Limits of one decoding process and the sizes of what it makes, in pixels.

    Thumbnails go into the folder of `library`; `square` is the side of the encoder's input.
    Plain values, so that a process needs no more than it uses.
    """

    library: LibraryPaths
    square: int
    thumbnail_px: int = 512
    max_pixels: int = 300_000_000
    timeout_s: float = 30.0
    memory_mb: int = 4096

    def seconds_for(self, size: int) -> float:
        """How long a file of so many bytes may take: also a slow disk reads it in time."""
        return self.timeout_s + size / _SLOW_DISK


_SLOW_DISK = 20_000_000
"""Bytes a second; a film of many gigabytes is read through once for its hash."""


@dataclass(frozen=True, slots=True)
class DecodeJob:
    """One file to read; `only_new` skips the decoding of content that the library has.

    `companions` are read for what they say of it: sidecars, and Takeout's JSON.
    """

    stamp: FileStamp
    only_new: bool = True
    companions: tuple[Companion, ...] = ()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a file's metadata say, cleaned; the capture time by the clock's priority."""

    taken: CaptureTime | None = None
    point: GeoPoint | None = None
    gps_problem: str = ""
    camera: Camera = field(default_factory=Camera)
    title: str = ""
    tags: tuple[Tag, ...] = ()
    exposure: str = ""
    from_camera: bool = False
    rating: int | None = None
    point_source: PointSource | None = None
    software: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file that was decoded: facts, and the encoder's input (square x square x 3 bytes)."""

    stamp: FileStamp
    content_hash: ContentHash
    pixel_hash: str
    format: str
    width: int
    height: int
    kind: PhotoKind
    metadata: Metadata
    square: bytes
    cpu_seconds: float = 0.0
    kind_reason: str = ""
    duration_s: float | None = None
    look: Look = NO_LOOK
    note: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A file whose content the library has already."""

    stamp: FileStamp
    content_hash: ContentHash
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that could not be taken, and why."""

    stamp: FileStamp
    reason: ProblemReason
    detail: str
    cpu_seconds: float = 0.0


Outcome = Decoded | Known | Refused
