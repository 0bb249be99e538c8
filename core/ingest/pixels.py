"""Bytes of a file to upright sRGB pixels, for every format that a library takes."""

import io
import warnings
from dataclasses import dataclass

import pillow_heif
from PIL import Image, ImageCms, ImageOps

from core.ingest.faults import DECODER_FAULTS

FORMATS = ("JPEG", "PNG", "GIF", "BMP", "DIB", "TIFF", "WEBP", "AVIF", "HEIF", "JPEG2000")
"""Formats that are opened (MPO comes with JPEG); Pillow's others let hostile files in."""

_ORIENTATION = 0x0112
_TRANSPOSED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_DRAFT_PX = 512
"""Scaled JPEG decoding keeps both sides at least so long; fixed, so that hashes are too."""


class TooManyPixels(Exception):
    """The picture is larger than the limit."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A picture whose header was read; `width` and `height` as stored, before orientation."""

    picture: Image.Image
    width: int
    height: int


def prepare_decoders() -> None:
    """Teach Pillow HEIC and let it load pictures of any size that our own limit allows."""
    pillow_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None
    warnings.simplefilter("ignore")  # odd headers are common, and the outcome is what counts


def open_picture(data: bytes, max_pixels: int) -> Opened:
    """Read the header; raises TooManyPixels, UnidentifiedImageError and decoder faults."""
    picture = Image.open(io.BytesIO(data), formats=FORMATS)
    width, height = picture.size
    if width * height > max_pixels:
        raise TooManyPixels(f"{width}x{height} pixels; the limit is {max_pixels:,}")
    return Opened(picture, width, height)


def load_pixels(opened: Opened, shortest: int) -> None:
    """Decode the first frame, JPEG at the least scale that keeps sides of `shortest`."""
    side = max(shortest, _DRAFT_PX)
    if opened.picture.format in ("JPEG", "MPO"):
        opened.picture.draft(None, (side, side))
    opened.picture.load()


def orientation_of(picture: Image.Image) -> int:
    """The EXIF orientation that is still to be applied to a loaded picture, 1 to 8.

    HEIC and AVIF decoders follow the container's own rotation: pillow_heif gives upright pixels
    whatever EXIF says, Pillow's AVIF and TIFF plugins leave what is still to do in the tags.
    """
    if picture.format == "HEIF":
        return 1
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except DECODER_FAULTS:
        return 1
    return value if value in _TRANSPOSED else 1


def to_srgb(picture: Image.Image, longest: int) -> Image.Image:
    """Shrink to about `longest` pixels a side at least, then convert to sRGB on white."""
    factor = max(1, min(picture.size) // longest)
    flat = _to_eight_bits(picture)
    if factor > 1 and flat.mode not in ("P", "1", "PA"):
        flat = flat.reduce(factor)
    flat = _on_white(flat)
    profile = picture.info.get("icc_profile")
    if isinstance(profile, bytes) and profile:
        return _by_profile(flat, profile)
    return flat.convert("RGB")


def _to_eight_bits(picture: Image.Image) -> Image.Image:
    """16-bit and float grey to 8 bits; what holds small numbers only is taken as it is."""
    if picture.mode not in ("I", "F") and not picture.mode.startswith("I;16"):
        return picture
    wide = picture.convert("F")
    low, high = wide.getextrema()
    if not isinstance(low, float) or not isinstance(high, float) or high <= low:
        return picture.convert("L")
    if picture.mode != "F":
        low, high = min(low, 0.0), 255.0 if high <= 255 else max(high, 65_535.0)
    scale = 255.0 / (high - low)
    return wide.point(lambda value: value * scale + (-low * scale)).convert("L")


def _on_white(picture: Image.Image) -> Image.Image:
    if not picture.has_transparency_data:
        return picture.convert("RGB") if picture.mode in ("P", "1") else picture
    layered = picture.convert("RGBA")
    white = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(white, layered).convert("RGB")


def _by_profile(picture: Image.Image, profile: bytes) -> Image.Image:
    """Colours through the picture's own profile; a profile that does not fit is ignored."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in (ImageCms.getProfileDescription(source) or ""):
            return picture.convert("RGB")
        return (
            ImageCms.profileToProfile(
                picture, source, ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
            or picture
        ).convert("RGB")
    except (ImageCms.PyCMSError, *DECODER_FAULTS):
        return picture.convert("RGB")


def upright(picture: Image.Image, orientation: int) -> Image.Image:
    """Apply an EXIF orientation."""
    step = _TRANSPOSED.get(orientation)
    return picture if step is None else picture.transpose(step)


def thumbnail_of(picture: Image.Image, longest: int) -> Image.Image:
    """A copy whose longer side is at most `longest` pixels."""
    if max(picture.size) <= longest:
        return picture
    return ImageOps.contain(picture, (longest, longest), Image.Resampling.LANCZOS)
