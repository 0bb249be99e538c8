"""What a decoder makes of a file, whatever its format; and why it makes nothing."""

import hashlib
from dataclasses import dataclass

from PIL import Image

from core.ingest.decoding.jobs import Metadata

_BAND_BYTES = 16_000_000


class TooManyPixels(Exception):
    """The picture is larger than the limit."""


class NoPicture(Exception):
    """A file that is whole, but has nothing to show."""


class NotSupported(Exception):
    """A file of a known kind that no library here can read."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The decoded picture of a file; `width` and `height` are those of the whole, upright.

    `picture` may be smaller, and is as stored: `orientation` (1 to 8, as EXIF counts) is still
    to be applied, and its colour profile too. `metadata` is told by films alone. `note` says
    what is missing.
    """

    picture: Image.Image
    format: str
    width: int
    height: int
    pixel_hash: str
    orientation: int = 1
    note: str = ""
    duration_s: float | None = None
    metadata: Metadata | None = None


def check_size(width: int, height: int, max_pixels: int) -> None:
    """Raise TooManyPixels for a picture that is larger than the limit."""
    if width * height > max_pixels:
        raise TooManyPixels(f"{width}x{height} pixels; the limit is {max_pixels:,}")


def upright_size(width: int, height: int, orientation: int) -> tuple[int, int]:
    """The sides of a stored picture when it is upright."""
    return (height, width) if orientation >= 5 else (width, height)


def pixel_hash(picture: Image.Image, what: str) -> str:
    """The hash of decoded pixels as stored; `what` tells apart what only looks the same."""
    digest = hashlib.sha256(f"{picture.mode} {what} ".encode())
    if picture.palette is not None:
        digest.update(bytes(picture.palette.palette))
    rows = max(1, _BAND_BYTES // max(1, 4 * picture.width))
    if picture.height <= rows:
        digest.update(picture.tobytes())
        return digest.hexdigest()
    for top in range(0, picture.height, rows):  # in bands: a second copy of all may not fit
        bottom = min(top + rows, picture.height)
        digest.update(picture.crop((0, top, picture.width, bottom)).tobytes())
    return digest.hexdigest()
