"""What a file says of itself: time, place, camera, words; runs where the decoder runs.

EXIF, XMP and IPTC are read from the file's own blocks, without pixels. Nothing here raises on
damaged or hostile bytes.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain

from PIL import Image

from core.domain.photo import Camera, Companion, FileStamp, PointSource
from core.domain.place import GeoPoint
from core.domain.tag import TagSource
from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.beside import with_companions
from core.ingest.metadata.blocks import Blocks, FileBytes, find_blocks
from core.ingest.metadata.clock import ClockTags, read_clock
from core.ingest.metadata.exposure import exposure_text
from core.ingest.metadata.gps import GpsTags, read_point
from core.ingest.metadata.iptc import IptcTags, read_iptc
from core.ingest.metadata.regions import Stored
from core.ingest.metadata.tags import Tags, number_of, numbers_of, text_of, wide_text_of
from core.ingest.metadata.text import clean_text, decoded_text, described
from core.ingest.metadata.tiff import Bytes, read_tiff, read_tiff_of_gps
from core.ingest.metadata.words import Words, tags_from, united
from core.ingest.metadata.xmp import XmpTags, read_xmp, stars_of, stars_of_percent

_MAX_NAME = 80


def read_metadata(
    picture: Image.Image, data: bytes, stamp: FileStamp, companions: Sequence[Companion] = ()
) -> Metadata:
    """Everything that an opened picture, its bytes and the files beside it say."""
    blocks = find_blocks(data)
    if not (blocks.exif or blocks.xmp):  # in a place that only its decoder knows
        blocks = _of_picture(picture, blocks)
    return _read(blocks, stamp, companions)


def read_metadata_bytes(
    data: Bytes, stamp: FileStamp, companions: Sequence[Companion] = ()
) -> Metadata:
    """The same without a decoder, for files that Pillow cannot open (RAW)."""
    return _read(find_blocks(data), stamp, companions)


def read_metadata_file(stamp: FileStamp, companions: Sequence[Companion] = ()) -> Metadata:
    """The same of a file on disk, of which only the metadata are read; raises OSError."""
    with stamp.path.open("rb") as file:
        return _read(find_blocks(FileBytes.of(file)), stamp, companions)


def _of_picture(picture: Image.Image, blocks: Blocks) -> Blocks:
    """The blocks as the decoder found them."""
    xmp = picture.info.get("xmp") or picture.info.get("XML:com.adobe.xmp") or b""
    exif = picture.info.get("exif")
    try:
        exif = exif if isinstance(exif, bytes) else picture.getexif().tobytes()
    except DECODER_FAULTS:
        exif = b""
    xmp = xmp.encode("utf-8", "ignore") if isinstance(xmp, str) else bytes(xmp)
    return Blocks(exif.removeprefix(b"Exif\0\0"), xmp, blocks.iptc, blocks.photoshop)


def _exif(blocks: Blocks) -> Tags:
    tags = read_tiff(blocks.exif) if blocks.exif else {}
    if blocks.camera or blocks.gps:
        return {**read_tiff_of_gps(blocks.gps), **read_tiff(blocks.camera), **tags}
    return tags


def _block(tags: Tags, name: str, otherwise: bytes) -> bytes:
    """A block that a TIFF file keeps in a tag, else the one of the file."""
    value = tags.get(name)
    return value if isinstance(value, bytes) and value else otherwise


def _read(blocks: Blocks, stamp: FileStamp, companions: Sequence[Companion]) -> Metadata:
    tags = _exif(blocks)
    xmp = read_xmp(_block(tags, "XMP", blocks.xmp))
    iptc = read_iptc(_block(tags, "IPTC", blocks.iptc), _block(tags, "Photoshop", blocks.photoshop))
    gps = _gps_tags(tags)
    point, point_source, gps_problem = _position(gps, xmp.gps)
    camera = _camera(tags)
    clock = _clock_tags(tags, xmp, iptc, gps)
    exposure = exposure_text(tags)
    stored = _stored(tags, xmp)
    metadata = Metadata(
        taken=read_clock(clock, stamp.path.name, stamp.modified_ns, datetime.now(UTC)),
        point=point,
        point_source=point_source,
        gps_problem=gps_problem,
        camera=camera,
        title=_title(tags, xmp, iptc),
        tags=united(
            chain(
                tags_from(xmp.words(stored), TagSource.FILE),
                tags_from(_words(tags, xmp, iptc), TagSource.FILE),
            )
        ),
        exposure=exposure,
        from_camera=bool(camera.text or exposure or point or clock.original.strip("\0 ")),
        rating=_rating(tags, xmp),
        software=clean_text(text_of(tags, "Software"), _MAX_NAME),
        comment=clean_text(_comment(tags) or xmp.comment, _MAX_NAME),
    )
    return with_companions(metadata, stamp, companions, stored) if companions else metadata


def _comment(tags: Tags) -> str:
    """The user's comment, whose first eight bytes name its charset."""
    value = tags.get("UserComment")
    if not isinstance(value, bytes):
        return value if isinstance(value, str) else ""
    if value.startswith(b"UNICODE"):
        return value[8:].replace(b"\0", b"").decode("latin-1")
    return decoded_text(value[8:])


def _stored(tags: Tags, xmp: XmpTags) -> Stored:
    orientation = number_of(tags, "Orientation") or xmp.orientation
    return Stored(
        orientation=int(orientation) if orientation in range(1, 9) else 1,
        width=number_of(tags, "PixelXDimension") or 0.0,
        height=number_of(tags, "PixelYDimension") or 0.0,
    )


def _camera(tags: Tags) -> Camera:
    return Camera(
        make=clean_text(text_of(tags, "Make"), _MAX_NAME),
        model=clean_text(text_of(tags, "Model"), _MAX_NAME),
        serial=clean_text(text_of(tags, "BodySerialNumber"), _MAX_NAME),
        owner=clean_text(text_of(tags, "CameraOwnerName", "Artist"), _MAX_NAME),
    )


def _position(exif: GpsTags, xmp: GpsTags) -> tuple[GeoPoint | None, PointSource | None, str]:
    """Position, its source, and why there is none: EXIF's, else XMP's."""
    point, problem = read_point(exif)
    if point is not None:
        return point, PointSource.EXIF, ""
    other, other_problem = read_point(xmp)
    if other is not None:
        return other, PointSource.XMP, ""
    return None, None, problem or other_problem


def _gps_tags(tags: Tags) -> GpsTags:
    return GpsTags(
        latitude=numbers_of(tags, "GPSLatitude"),
        latitude_ref=text_of(tags, "GPSLatitudeRef"),
        longitude=numbers_of(tags, "GPSLongitude"),
        longitude_ref=text_of(tags, "GPSLongitudeRef"),
        altitude=number_of(tags, "GPSAltitude"),
        altitude_ref=1 if number_of(tags, "GPSAltitudeRef") in (1, 3) else 0,
        status=text_of(tags, "GPSStatus"),
        date=text_of(tags, "GPSDateStamp"),
        time=numbers_of(tags, "GPSTimeStamp"),
    )


def _clock_tags(tags: Tags, xmp: XmpTags, iptc: IptcTags, gps: GpsTags) -> ClockTags:
    return ClockTags(
        original=text_of(tags, "DateTimeOriginal"),
        original_subsec=text_of(tags, "SubSecTimeOriginal"),
        original_offset=text_of(tags, "OffsetTimeOriginal"),
        digitized=text_of(tags, "DateTimeDigitized"),
        digitized_subsec=text_of(tags, "SubSecTimeDigitized"),
        digitized_offset=text_of(tags, "OffsetTimeDigitized"),
        changed=text_of(tags, "DateTime"),
        changed_subsec=text_of(tags, "SubSecTime"),
        changed_offset=text_of(tags, "OffsetTime"),
        xmp=xmp.date,
        iptc=iptc.created,
        gps=gps,
    )


def _title(tags: Tags, xmp: XmpTags, iptc: IptcTags) -> str:
    """The title; a description where there is none that a camera wrote by itself."""
    told = (xmp.title, iptc.title, wide_text_of(tags, "XPTitle"))
    title = next((title for title in map(clean_text, told) if title), "")
    if title:
        return title
    captions = (xmp.description, iptc.caption, text_of(tags, "ImageDescription"))
    return described([*captions, wide_text_of(tags, "XPSubject")])


def _words(tags: Tags, xmp: XmpTags, iptc: IptcTags) -> Words:
    """Words of IPTC and of Windows; IPTC's place where XMP says none."""
    windows = re.split("[;,]", wide_text_of(tags, "XPKeywords"))
    place = () if any(xmp.place) else iptc.place
    return Words(keywords=[*iptc.keywords, *windows], place=place)


def _rating(tags: Tags, xmp: XmpTags) -> int | None:
    if xmp.rating is not None:
        return xmp.rating
    stars = stars_of(number_of(tags, "Rating"))
    return stars_of_percent(number_of(tags, "RatingPercent")) if stars is None else stars
