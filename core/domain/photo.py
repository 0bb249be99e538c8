"""A photo of the library and the files that hold it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NewType

from core.domain.moment import CaptureTime
from core.domain.place import GeoPoint, PlaceName
from core.domain.tag import Tag, tag_names

PhotoId = NewType("PhotoId", int)
ContentHash = NewType("ContentHash", str)
"""Hex digest of the file's bytes: the identity of a photo; its path is an attribute."""


class PhotoKind(StrEnum):
    """What sort of picture it is; only photos enter stories unless asked for."""

    PHOTO = "photo"
    SCREENSHOT = "screenshot"
    RECEIPT = "receipt"
    SCAN = "scan"
    MEME = "meme"
    GRAPHIC = "graphic"
    VIDEO = "video"


class PointSource(StrEnum):
    """Who says where a photo was taken."""

    EXIF = "EXIF"
    XMP = "XMP"
    VIDEO = "video"
    SIDECAR = "sidecar"
    TAKEOUT = "takeout"
    TRACK = "GPS track"
    HAND = "by hand"


class CompanionRole(StrEnum):
    """What another file is to the file that shows a photo."""

    RAW = "raw"
    LIVE = "live video"
    ORIGINAL = "original"
    SIDECAR = "sidecar"
    TAKEOUT = "takeout"


@dataclass(frozen=True, slots=True)
class Camera:
    """The device that took a photo; empty strings where it does not say."""

    make: str = ""
    model: str = ""
    serial: str = ""
    owner: str = ""

    @property
    def text(self) -> str:
        """Make and model as a person reads them, the make said once."""
        make = "" if self.model.lower().startswith(self.make.lower()) else self.make
        return f"{make} {self.model}".strip()


@dataclass(frozen=True, slots=True)
class FileStamp:
    """One file as the file system shows it: size in bytes, modification time in ns."""

    path: Path
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Companion:
    """A file that belongs to a photo's file: its RAW, its live video, its sidecar."""

    role: CompanionRole
    stamp: FileStamp


@dataclass(frozen=True, slots=True)
class Look:
    """What the pixels say without a model; all from the upright thumbnail.

    `perceptual_hash` is 64 bits in hex, "" where there is none; `sharpness` the variance of the
    Laplacian of its grey; `clipped` the share of pixels that are burnt out or black.
    """

    perceptual_hash: str = ""
    sharpness: float | None = None
    clipped: float | None = None


NO_LOOK = Look()


@dataclass(frozen=True, slots=True)
class PhotoFacts:
    """What one file says of itself: everything that ingest learns before inference.

    `width` and `height` are those of the upright picture. `gps_problem` says why a position
    was refused. `pixel_hash` is equal for copies that differ in metadata alone;
    `order_key` is the capture time in seconds since 1970 UTC as well as it is known.
    `kind_reason` is the rule that told the kind; `note` what a person should know of how the
    file was read, e.g. that a part is missing; `duration_s` that of a video.
    """

    content_hash: ContentHash
    pixel_hash: str
    format: str
    width: int
    height: int
    taken: CaptureTime | None
    order_key: float | None
    point: GeoPoint | None
    gps_problem: str
    place: PlaceName | None
    camera: Camera
    contributor: str
    kind: PhotoKind
    title: str = ""
    tags: tuple[Tag, ...] = ()
    exposure: str = ""
    rating: int | None = None
    point_source: PointSource | None = None
    kind_reason: str = ""
    duration_s: float | None = None
    look: Look = NO_LOOK
    note: str = ""

    @property
    def keywords(self) -> tuple[str, ...]:
        """The names of all tags, whatever their kind."""
        return tag_names(self.tags)


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo in the library: its id, its facts and the files that hold it (best first).

    `companions` are those of all its files.
    """

    id: PhotoId
    facts: PhotoFacts
    files: tuple[FileStamp, ...]
    companions: tuple[Companion, ...] = ()

    @property
    def path(self) -> Path:
        """The file to show; every photo has at least one."""
        return self.files[0].path
