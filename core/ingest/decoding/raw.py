"""RAW files through LibRaw: the embedded preview where it is large enough, else developed.

The pixel hash is that of the pixels that are shown: of the preview, and only without a usable
one of the picture developed at half size. Both come from the same data in every copy of a file.
"""

import io
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.jobs import DecodeLimits
from core.ingest.decoding.shown import NotSupported, Shown, check_size, pixel_hash, upright_size
from core.ingest.decoding.still import ORIENTATION, load_scaled, orientation_of

_LARGE_PX = 1024
_SHARE = 4
"""A preview is used if its long side has so many pixels, or this part of the sensor's."""

_SMALL_PREVIEW = "the raw data cannot be read; its small preview is shown"
_APP1, _START_BYTES = b"\xff\xe1", 32
_FLIPS = {0: 1, 1: 2, 2: 4, 3: 3, 4: 5, 5: 8, 6: 6, 7: 7}
"""LibRaw's flips as EXIF orientations."""


def show_raw(data: bytes, limits: DecodeLimits, name: str) -> Shown:
    """Decode a RAW file; `name` is its format's.

    Raises NotSupported for what LibRaw does not know, TooManyPixels, ValueError for damage.
    """
    import rawpy  # noqa: PLC0415 - heavy, and only RAW files need it

    try:
        with rawpy.imread(io.BytesIO(data)) as raw:
            return _show(raw, data, limits, name, rawpy.LibRawError)
    except rawpy.LibRawFileUnsupportedError as error:
        raise NotSupported(f"no reader knows this sort of {name} file") from error
    except rawpy.LibRawUnsufficientMemoryError as error:
        raise MemoryError from error
    except rawpy.LibRawError as error:
        raise ValueError(_said(error)) from error


def _said(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _show(raw: Any, data: bytes, limits: DecodeLimits, name: str, fault: type[Exception]) -> Shown:
    sizes = raw.sizes
    check_size(sizes.raw_width, sizes.raw_height, limits.max_pixels)
    flip = _FLIPS.get(sizes.flip, 1)
    whole = upright_size(sizes.width, sizes.height, flip)
    preview = _preview(raw, data, limits, fault)
    if preview is not None and preview.longest >= _enough(limits.thumbnail_px, max(whole)):
        return _of_preview(preview, flip, whole, name)
    try:
        pixels = raw.postprocess(half_size=True, use_camera_wb=True)
    except fault:
        if preview is None:
            raise
        return replace(_of_preview(preview, flip, whole, name), note=_SMALL_PREVIEW)
    picture = Image.fromarray(pixels)
    return Shown(picture, name, *whole, pixel_hash=pixel_hash(picture, "developed"))


def _enough(wanted: int, sensor_px: int) -> float:
    """The long side that a preview needs; developing at half size gives no more than half."""
    return max(min(_LARGE_PX, sensor_px / _SHARE), min(wanted, sensor_px / 2))


@dataclass(frozen=True, slots=True)
class _Preview:
    """An embedded picture, loaded; `orientation` is its own, None where it has none."""

    picture: Image.Image
    longest: int
    orientation: int | None


def _as_stored(jpeg: bytes, data: bytes) -> bytes:
    """A preview as it lies in the file: LibRaw puts EXIF of its own before one that begins bare."""
    if jpeg[2:4] != _APP1 or jpeg[:_START_BYTES] in data:
        return jpeg
    return jpeg[:2] + jpeg[4 + int.from_bytes(jpeg[4:6], "big") :]


def _preview(
    raw: Any, data: bytes, limits: DecodeLimits, fault: type[Exception]
) -> _Preview | None:
    """The embedded preview; None where there is none that can be read."""
    try:
        thumbnail = raw.extract_thumb()
        if not isinstance(thumbnail.data, bytes):
            picture = Image.fromarray(thumbnail.data)
            return _Preview(picture, max(picture.size), None)
        jpeg = _as_stored(thumbnail.data, data)
        picture = Image.open(io.BytesIO(jpeg), formats=("JPEG",))
        longest = max(picture.size)
        check_size(*picture.size, limits.max_pixels)
        load_scaled(picture, max(limits.thumbnail_px, limits.square))
        told = ORIENTATION in picture.getexif()
    except (fault, *DECODER_FAULTS):
        return None
    return _Preview(picture, longest, orientation_of(picture) if told else None)


def _of_preview(preview: _Preview, flip: int, whole: tuple[int, int], name: str) -> Shown:
    """Turned as the preview says, else as the RAW file does where that is still to be done."""
    orientation = preview.orientation
    if orientation is None:
        done = flip >= 5 and _is_tall(preview.picture.size) == _is_tall(whole)
        orientation = 1 if done else flip
    return Shown(
        preview.picture,
        name,
        *whole,
        pixel_hash=pixel_hash(preview.picture, f"preview {preview.longest}"),
        orientation=orientation,
    )


def _is_tall(size: tuple[int, int]) -> bool:
    return size[0] < size[1]
