"""Decoded pixels to upright sRGB ones of a size to look at."""

import io
import warnings

import pillow_heif
import pillow_jxl  # noqa: F401 - teaches Pillow JPEG XL
from PIL import Image, ImageCms, ImageOps

from core.ingest.decoding.faults import DECODER_FAULTS

_TRANSPOSED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_REDUCING_GAP = 2.0
"""Shrink by whole factors first, down to twice the wanted size: no difference that one sees."""


def prepare_decoders() -> None:
    """Teach Pillow HEIC and let it load pictures of any size that our own limit allows."""
    pillow_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None
    warnings.simplefilter("ignore")  # odd headers are common, and the outcome is what counts


def to_srgb(picture: Image.Image, longest: int, shortest: int) -> Image.Image:
    """Shrunk to sides of at least `longest` and `shortest`, then converted to sRGB on white."""
    flat = _on_white(_shrunk(_to_eight_bits(picture), longest, shortest))
    profile = picture.info.get("icc_profile")
    if isinstance(profile, bytes) and profile:
        return _by_profile(flat, profile)
    return flat.convert("RGB")


def _shrunk(picture: Image.Image, longest: int, shortest: int) -> Image.Image:
    scale = max(longest / max(picture.size), shortest / min(picture.size))
    if scale >= 1:
        return picture
    if picture.mode in ("1", "P", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    size = round(picture.width * scale), round(picture.height * scale)
    return picture.resize(size, Image.Resampling.BICUBIC, reducing_gap=_REDUCING_GAP)


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
