"""A second look at damaged pictures: as far as they can be read, by more patient readers.

First Pillow, told to fill up what is missing, if something is seen then; else FFmpeg, which
forgives other faults. Both are asked only where the first look failed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from PIL import Image, ImageFile

from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.ffmpeg_still import ONLY_FFMPEG, show_by_ffmpeg
from core.ingest.decoding.jobs import DecodeLimits
from core.ingest.decoding.shown import Shown
from core.ingest.decoding.still import show_still

IN_PART = "the file is damaged; shown as far as it could be read"
BARELY = "the file is damaged; what could be read of it shows nothing"
_UNUSUAL = "an unusual or damaged TIFF; its colours may not be right"
_SAMPLE_PX = 64
_FLAT_DEVIATION = 4.0
"""A sample that deviates less shows only what a decoder filled up."""

_LEAST_ROWS = 0.1
"""The share of rows that must show something."""


def show_patiently(data: bytes, limits: DecodeLimits) -> Shown:
    """Decode a picture, with a second look where the first fails.

    Raises TooManyPixels, and where the second look fails too what the first raised:
    UnidentifiedImageError and decoder faults.
    """
    if data.startswith(ONLY_FFMPEG):
        return show_by_ffmpeg(data, limits)
    try:
        return show_still(data, limits)
    except DECODER_FAULTS:
        shown = _filled_up(data, limits) or _by_ffmpeg(data, limits)
        if shown is None:
            raise
        return shown


def _filled_up(data: bytes, limits: DecodeLimits) -> Shown | None:
    try:
        with _patient_pillow():
            shown = show_still(data, limits)
    except DECODER_FAULTS:
        return None
    return None if _is_flat(shown.picture) else replace(shown, note=IN_PART)


@contextmanager
def _patient_pillow() -> Iterator[None]:
    """For one attempt only: whole files must not be read so."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


def _by_ffmpeg(data: bytes, limits: DecodeLimits) -> Shown | None:
    try:
        shown = show_by_ffmpeg(data, limits)
    except DECODER_FAULTS:
        return None
    if _is_flat(shown.picture):
        return replace(shown, note=BARELY)
    return replace(shown, note=_UNUSUAL if shown.format == "TIFF" else IN_PART)


def _is_flat(picture: Image.Image) -> bool:
    """Whether nothing can be made out in it, or only a strip above what was filled up."""
    small = picture.convert("RGB").resize((_SAMPLE_PX, _SAMPLE_PX), Image.Resampling.BOX)
    pixels = np.asarray(small, np.float32)
    if pixels.std(axis=(0, 1)).max() < _FLAT_DEVIATION:
        return True
    last = pixels[-1].mean(axis=0)
    differ = np.abs(pixels - last).max(axis=(1, 2)) > _FLAT_DEVIATION
    return bool(differ.mean() < _LEAST_ROWS)
