"""Reads one file: hashes, metadata, upright pixels, thumbnail, encoder input.

The pixel hash is that of the decoded pixels as stored, before orientation and colour profile, so
that copies which differ in metadata alone have the same. JPEGs are hashed at the reduced scale
at which they are decoded anyway (equal data give equal pixels at any scale), so that the hash
costs no full decoding; other formats at full size; RAW files by their preview, films by the
frame that is shown.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from core.domain.photo import ContentHash, PhotoKind
from core.domain.problem import ProblemReason
from core.errors import LibraryUnwritable
from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.film import show_film
from core.ingest.decoding.jobs import (
    Decoded,
    DecodeJob,
    DecodeLimits,
    Known,
    Metadata,
    Outcome,
    Refused,
)
from core.ingest.decoding.pixels import thumbnail_of, to_srgb, upright
from core.ingest.decoding.raw import show_raw
from core.ingest.decoding.second_look import BARELY, show_patiently
from core.ingest.decoding.shown import NoPicture, NotSupported, Shown, TooManyPixels
from core.ingest.decoding.source import Source, read_source
from core.ingest.folders.sniff import RAW_SUFFIXES, SNIFF_BYTES, Sniffed, sniff_bytes
from core.ingest.likeness.kind import kind_of
from core.ingest.likeness.kind_signs import signs_of
from core.ingest.likeness.look import look_of
from core.ingest.metadata.beside import with_companions
from core.ingest.metadata.metadata import read_metadata
from core.paths import LibraryPaths

IsKnown = Callable[[ContentHash], bool]
PARTS = "parts"
"""The folder of thumbnails that are being written."""

_QUALITY = 85
_FILM = "it is a video"


def decode_file(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """Everything that one file tells, or why it cannot be taken; its faults never leave here.

    Raises LibraryUnwritable where the thumbnail cannot be kept.
    """
    try:
        source = read_source(job.stamp.path)
    except MemoryError:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, "not enough memory to read it")
    except OSError as error:
        detail = (error.strerror or "cannot be read").lower()
        return Refused(job.stamp, ProblemReason.UNREADABLE, detail)
    if not source.size:
        return Refused(job.stamp, ProblemReason.EMPTY, "the file is empty")
    if job.only_new and is_known(source.content_hash):
        return Known(job.stamp, source.content_hash)
    return _decode_source(job, limits, source)


def _decode_source(job: DecodeJob, limits: DecodeLimits, source: Source) -> Outcome:
    try:
        return _decode(job, limits, source)
    except TooManyPixels as error:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, str(error))
    except MemoryError:
        return Refused(job.stamp, ProblemReason.TOO_LARGE, "decoding needs too much memory")
    except NoPicture as error:
        return Refused(job.stamp, ProblemReason.NOT_A_PHOTO, str(error))
    except NotSupported as error:
        return Refused(job.stamp, ProblemReason.UNSUPPORTED, str(error))
    except UnidentifiedImageError:
        return Refused(job.stamp, *_unidentified(source.data))
    except DECODER_FAULTS as error:
        return Refused(job.stamp, ProblemReason.DAMAGED, _short(error))


def _unidentified(data: bytes) -> tuple[ProblemReason, str]:
    """Why no decoder knows a file that is named like a picture."""
    match sniff_bytes(data[:SNIFF_BYTES]):
        case Sniffed.OTHER_PICTURE:
            return ProblemReason.UNSUPPORTED, "a picture of a format that is not supported"
        case Sniffed.IMAGE:
            return (
                ProblemReason.DAMAGED,
                "its header is damaged, or of a sort that is not supported",
            )
        case _:
            return ProblemReason.DAMAGED, "no picture format is recognised in it"


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return (text or type(error).__name__)[:200]


def _show(job: DecodeJob, limits: DecodeLimits, source: Source) -> Shown:
    """The picture of a file by the decoder for its sort."""
    if source.reader is Sniffed.VIDEO:
        return show_film(job.stamp, limits)
    if source.reader is Sniffed.RAW:
        return _show_raw(job, limits, source)
    return show_patiently(source.data, limits)


def _show_raw(job: DecodeJob, limits: DecodeLimits, source: Source) -> Shown:
    suffix = job.stamp.path.suffix.lower()
    name = suffix[1:].upper() if suffix in RAW_SUFFIXES else "RAW"
    try:
        return show_raw(source.data, limits, name)
    except NotSupported:
        try:  # another sort of picture under such a name
            return show_patiently(source.data, limits)
        except DECODER_FAULTS:
            pass
        raise


def _decode(job: DecodeJob, limits: DecodeLimits, source: Source) -> Decoded:
    shown = _show(job, limits, source)
    metadata = _metadata(job, shown, source)
    small = to_srgb(shown.picture, limits.thumbnail_px, limits.square)
    colours = upright(small, shown.orientation)
    thumbnail = thumbnail_of(colours, limits.thumbnail_px)
    _write_thumbnail(thumbnail, limits.library, source.content_hash)
    square = colours.resize((limits.square, limits.square), Image.Resampling.BICUBIC)
    kind, reason = _kind(job, shown, thumbnail, metadata)
    return Decoded(
        stamp=job.stamp,
        content_hash=source.content_hash,
        pixel_hash=shown.pixel_hash,
        format=shown.format,
        width=shown.width,
        height=shown.height,
        kind=kind,
        kind_reason=reason,
        metadata=metadata,
        square=square.tobytes(),
        duration_s=shown.duration_s,
        note=shown.note,
        look=look_of(thumbnail),
    )


def _metadata(job: DecodeJob, shown: Shown, source: Source) -> Metadata:
    if shown.metadata is not None:
        return with_companions(shown.metadata, job.stamp, job.companions)
    return read_metadata(shown.picture, source.data, job.stamp, job.companions)


def _kind(
    job: DecodeJob, shown: Shown, thumbnail: Image.Image, metadata: Metadata
) -> tuple[PhotoKind, str]:
    """The kind of a file and why."""
    if shown.duration_s is not None or shown.metadata is not None:
        return PhotoKind.VIDEO, _FILM
    if shown.note == BARELY:
        return PhotoKind.GRAPHIC, BARELY
    return kind_of(signs_of(job.stamp, shown, thumbnail, metadata))


def _write_thumbnail(
    picture: Image.Image, library: LibraryPaths, content_hash: ContentHash
) -> None:
    """Write it under another name first, so that no reader ever sees a part of it."""
    target = library.thumbnail(content_hash)
    part = library.thumbnails / PARTS / f"{os.getpid()}.jpg"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        # through memory: Pillow takes no notice of a disk that takes a part of what it writes
        content = BytesIO()
        picture.save(content, "JPEG", quality=_QUALITY)
        part.write_bytes(content.getbuffer())
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise LibraryUnwritable(
            f"Thumbnails cannot be written: {error.strerror}.",
            "Free some space, or choose another folder with --library.",
        ) from error
