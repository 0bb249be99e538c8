"""Reads one file: hashes, metadata, upright pixels, thumbnail, encoder input.

The pixel hash is that of the decoded pixels as stored, before orientation and colour profile, so
that copies which differ in metadata alone have the same. JPEGs are hashed at the reduced scale
at which they are decoded anyway (equal data give equal pixels at any scale), so that the hash
costs no full decoding; other formats at full size.
"""

import hashlib
import os
from collections.abc import Callable

from PIL import Image, UnidentifiedImageError

from core.domain.photo import ContentHash, PhotoKind
from core.domain.problem import ProblemReason
from core.errors import LibraryUnwritable
from core.ingest.faults import DECODER_FAULTS
from core.ingest.jobs import Decoded, DecodeJob, DecodeLimits, Known, Metadata, Outcome, Refused
from core.ingest.kind import Look, kind_of
from core.ingest.look import look_of
from core.ingest.metadata import read_metadata
from core.ingest.pixels import (
    Opened,
    TooManyPixels,
    load_pixels,
    open_picture,
    orientation_of,
    thumbnail_of,
    to_srgb,
    upright,
)
from core.ingest.sniff import SNIFF_BYTES, Sniffed, sniff_bytes
from core.paths import LibraryPaths

IsKnown = Callable[[ContentHash], bool]
PARTS = "parts"
"""The folder of thumbnails that are being written."""

_QUALITY = 85
_BAND_BYTES = 16_000_000
_COLOUR_SAMPLE_PX = 64
_MANY_COLOURS = 256


def decode_file(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """Everything that one file tells, or why it cannot be taken; its faults never leave here.

    Raises LibraryUnwritable where the thumbnail cannot be kept.
    """
    try:
        data = job.stamp.path.read_bytes()
    except MemoryError:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, "not enough memory to read it")
    except OSError as error:
        detail = (error.strerror or "cannot be read").lower()
        return Refused(job.stamp, ProblemReason.UNREADABLE, detail)
    if not data:
        return Refused(job.stamp, ProblemReason.EMPTY, "the file is empty")
    content_hash = ContentHash(hashlib.sha256(data).hexdigest())
    if job.only_new and is_known(content_hash):
        return Known(job.stamp, content_hash)
    return _decode_bytes(job, limits, data, content_hash)


def _decode_bytes(
    job: DecodeJob, limits: DecodeLimits, data: bytes, content_hash: ContentHash
) -> Outcome:
    try:
        return _decode(job, limits, data, content_hash)
    except TooManyPixels as error:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, str(error))
    except MemoryError:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, "decoding needs too much memory")
    except UnidentifiedImageError:
        return Refused(job.stamp, *_unidentified(data))
    except DECODER_FAULTS as error:
        return Refused(job.stamp, ProblemReason.DAMAGED, _short(error))


def _unidentified(data: bytes) -> tuple[ProblemReason, str]:
    """Why no decoder knows a file that is named like a picture."""
    match sniff_bytes(data[:SNIFF_BYTES]):
        case Sniffed.VIDEO:
            return ProblemReason.VIDEO, "a video file that is named like a picture"
        case Sniffed.OTHER_PICTURE:
            return ProblemReason.UNSUPPORTED, "a picture of a format that is not supported"
        case Sniffed.IMAGE:
            return ProblemReason.DAMAGED, "its header is damaged"
        case Sniffed.OTHER:
            return ProblemReason.DAMAGED, "no picture format is recognised in it"


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return (text or type(error).__name__)[:200]


def _decode(
    job: DecodeJob, limits: DecodeLimits, data: bytes, content_hash: ContentHash
) -> Decoded:
    longest = limits.thumbnail_px
    opened = open_picture(data, limits.max_pixels)
    load_pixels(opened, max(longest, limits.square))
    picture = opened.picture
    pixel_hash = _pixel_hash(opened)
    metadata = read_metadata(picture, data, job.stamp)
    orientation = orientation_of(picture)
    colours = upright(to_srgb(picture, max(longest, limits.square)), orientation)
    thumbnail = thumbnail_of(colours, longest)
    _write_thumbnail(thumbnail, limits.library, content_hash)
    width, height = _upright_size(opened, orientation)
    square = colours.resize((limits.square, limits.square), Image.Resampling.BICUBIC)
    return Decoded(
        stamp=job.stamp,
        content_hash=content_hash,
        pixel_hash=pixel_hash,
        format=picture.format or "",
        width=width,
        height=height,
        kind=_kind(job, picture, colours, metadata),
        metadata=metadata,
        square=square.tobytes(),
        look=look_of(thumbnail),
    )


def _pixel_hash(opened: Opened) -> str:
    picture = opened.picture
    digest = hashlib.sha256(f"{picture.mode} {opened.width} {opened.height} ".encode())
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


def _upright_size(opened: Opened, orientation: int) -> tuple[int, int]:
    sides = opened.width, opened.height
    return sides[::-1] if orientation >= 5 else sides


def _kind(
    job: DecodeJob, picture: Image.Image, colours: Image.Image, metadata: Metadata
) -> PhotoKind:
    sample = colours.resize((_COLOUR_SAMPLE_PX, _COLOUR_SAMPLE_PX), Image.Resampling.NEAREST)
    found = sample.getcolors(_MANY_COLOURS)
    look = Look(
        name=job.stamp.path.name,
        format=picture.format or "",
        width=picture.width,
        height=picture.height,
        flat_mode=picture.mode in ("1", "P", "PA"),
        see_through=_is_see_through(picture),
        colours=None if found is None else len(found),
        from_camera=metadata.from_camera,
    )
    return kind_of(look)


def _is_see_through(picture: Image.Image) -> bool:
    """Whether some part is transparent, not merely able to be."""
    if picture.mode not in ("RGBA", "LA"):
        return False
    return any(picture.getchannel("A").histogram()[:128])


def _write_thumbnail(
    picture: Image.Image, library: LibraryPaths, content_hash: ContentHash
) -> None:
    """Write it under another name first, so that no reader ever sees a part of it."""
    target = library.thumbnail(content_hash)
    part = library.thumbnails / PARTS / f"{os.getpid()}.jpg"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        picture.save(part, "JPEG", quality=_QUALITY)
        part.replace(target)
    except OSError as error:
        raise LibraryUnwritable(
            f"Thumbnails cannot be written: {error.strerror}.",
            "Free some space, or choose another folder with --library.",
        ) from error
