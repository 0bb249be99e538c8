"""A photo of the library and the files that hold it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NewType

from core.domain.moment import CaptureTime
from core.domain.place import GeoPoint, PlaceName

PhotoId = NewType("PhotoId", int)
ContentHash = NewType("ContentHash", str)
"""Hex digest of the file's bytes: the identity of a photo; its path is an attribute."""


class PhotoKind(StrEnum):
    """What sort of picture it is; only photos enter stories unless asked for."""

    PHOTO = "photo"
    SCREENSHOT = "screenshot"
    GRAPHIC = "graphic"


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
class PhotoFacts:
    """What one file says of itself: everything that ingest learns before inference.

    `width` and `height` are those of the upright picture. `gps_problem` says why a position
    was refused. `pixel_hash` is equal for copies that differ in metadata alone;
    `order_key` is the capture time in seconds since 1970 UTC as well as it is known.
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
    keywords: tuple[str, ...] = ()
    exposure: str = ""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo in the library: its id, its facts and the files that hold it (best first)."""

    id: PhotoId
    facts: PhotoFacts
    files: tuple[FileStamp, ...]

    @property
    def path(self) -> Path:
        """The file to show; every photo has at least one."""
        return self.files[0].path
