"""Pictures that Pillow and its plugins read: the first frame, within limits.

Left out are its readers that start other programs or only pass on to what is not there (EPS,
WMF, GRIB, BUFR, HDF5, MPEG), and the one that opens whatever another file holds (IPTC).
"""

import io

from PIL import Image, TiffImagePlugin

from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.jobs import DecodeLimits
from core.ingest.decoding.jxl_header import JXL_STARTS, read_jxl_header
from core.ingest.decoding.shown import Shown, check_size, pixel_hash, upright_size
from core.ingest.metadata.blocks import find_blocks
from core.ingest.metadata.tags import number_of
from core.ingest.metadata.tiff import read_tiff

_COMMON = "JPEG PNG GIF BMP DIB TIFF WEBP AVIF HEIF JPEG2000 JXL PPM PSD QOI SGI DDS ICO CUR ICNS"
_RARE = "PCX DCX SUN XBM XPM MSP BLP FTEX FITS FLI GBR PIXAR PCD XVTHUMB IM SPIDER MCIDAS IMT TGA"
FORMATS = (*_COMMON.split(), *_RARE.split())
"""In the order in which they are tried (MPO comes with JPEG); those without a mark come last."""

ORIENTATION = 0x0112
_BITS, _PLANAR, _IN_PLANES = 258, 284, 2
_DRAFT_PX = 512
"""Scaled JPEG decoding keeps both sides at least so long; fixed, so that hashes are too."""


def show_still(data: bytes, limits: DecodeLimits) -> Shown:
    """Decode a picture; raises TooManyPixels, UnidentifiedImageError and decoder faults."""
    if data.startswith(JXL_STARTS):  # its reader decodes everything when it opens
        header = read_jxl_header(data)
        check_size(header.width, header.height, limits.max_pixels)
    picture = Image.open(io.BytesIO(data), formats=FORMATS)
    width, height = picture.size
    check_size(width, height, limits.max_pixels)
    if _is_misread(picture):
        raise ValueError("a TIFF of a sort that Pillow misreads")
    load_scaled(picture, max(limits.thumbnail_px, limits.square))
    orientation = orientation_of(picture, data)
    return Shown(
        picture,
        picture.format or "",
        *upright_size(width, height, orientation),
        pixel_hash=pixel_hash(picture, f"{width} {height}"),
        orientation=orientation,
    )


def _is_misread(picture: Image.Image) -> bool:
    """Planes of 16 bits each: Pillow takes every byte of them for a pixel."""
    if not isinstance(picture, TiffImagePlugin.TiffImageFile) or len(picture.getbands()) == 1:
        return False
    tags = picture.tag_v2
    return tags.get(_PLANAR) == _IN_PLANES and max(tags.get(_BITS, (1,))) > 8


def load_scaled(picture: Image.Image, shortest: int) -> None:
    """Decode the first frame, JPEG at the least scale that keeps sides of `shortest`."""
    side = max(shortest, _DRAFT_PX)
    if picture.format in ("JPEG", "MPO"):
        picture.draft(None, (side, side))
    picture.load()


def orientation_of(picture: Image.Image, data: bytes = b"") -> int:
    """The EXIF orientation that is still to be applied to a loaded picture, 1 to 8.

    HEIC and AVIF decoders follow the container's own rotation: pillow_heif gives upright pixels
    whatever EXIF says, Pillow's AVIF and TIFF plugins leave what is still to do in the tags.
    JPEG XL (`data`) has been turned by its own header, and EXIF speaks only where that is silent.
    """
    if picture.format == "HEIF" or (picture.format == "JXL" and _is_turned(picture, data)):
        return 1
    if picture.format == "JPEG2000":  # Pillow does not look for EXIF there
        return known_orientation(number_of(read_tiff(find_blocks(data).exif), "Orientation"))
    try:
        return known_orientation(picture.getexif().get(ORIENTATION))
    except DECODER_FAULTS:
        return 1


def known_orientation(value: object) -> int:
    """A tag's value as an orientation; 1 for what is none."""
    return int(value) if isinstance(value, int | float) and value in range(1, 9) else 1


def _is_turned(picture: Image.Image, data: bytes) -> bool:
    """Whether the decoder has applied an orientation; a JPEG that JPEG XL packs is as it was."""
    return not getattr(picture, "jpeg", False) and read_jxl_header(data).orientation != 1
