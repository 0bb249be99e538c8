"""What a file says of itself: time, place, camera, words; runs where the decoder runs."""

import re
from datetime import UTC, datetime

from PIL import Image, ImageFile, IptcImagePlugin

from core.domain.photo import Camera, FileStamp, PointSource
from core.domain.tag import Tag, TagKind
from core.ingest.clock import ClockTags, read_clock
from core.ingest.faults import DECODER_FAULTS
from core.ingest.gps import GpsTags, read_point
from core.ingest.jobs import Metadata
from core.ingest.tags import TagValue, number_of, numbers_of, read_tags, text_of, wide_text_of
from core.ingest.text import clean_keywords, clean_text
from core.ingest.xmp import XmpTags, read_xmp

Tags = dict[str, TagValue]
_MAX_NAME = 80
_NO_DESCRIPTION = re.compile(
    r"digital camera|^dcf |^sony dsc|exif[_ ]jpeg|^default$|^untitled$|^<|^[\W\d_]*$", re.IGNORECASE
)
"""What cameras write into ImageDescription by themselves."""
_TITLE, _KEYWORDS = (2, 5), (2, 25)


def read_metadata(picture: Image.Image, data: bytes, stamp: FileStamp) -> Metadata:
    """Everything that the metadata of an opened picture say; never raises on damaged tags."""
    tags = read_tags(picture, data)
    xmp = read_xmp(picture.info.get("xmp") or picture.info.get("XML:com.adobe.xmp"))
    iptc = _iptc(picture)
    gps = _gps_tags(tags)
    point, gps_problem = read_point(gps)
    camera = _camera(tags)
    clock = _clock_tags(tags, xmp, gps)
    exposure = exposure_text(tags)
    point_source = None if point is None else PointSource.EXIF
    taken = read_clock(clock, stamp.path.name, stamp.modified_ns, datetime.now(UTC))
    return Metadata(
        taken=taken,
        point=point,
        point_source=point_source,
        gps_problem=gps_problem,
        camera=camera,
        title=_title(tags, xmp, iptc),
        tags=tuple(Tag(TagKind.KEYWORD, (word,)) for word in _keywords(tags, xmp, iptc)),
        exposure=exposure,
        from_camera=bool(camera.text or exposure or point or clock.original.strip("\0 ")),
    )


def _camera(tags: Tags) -> Camera:
    return Camera(
        make=clean_text(text_of(tags, "Image Make"), _MAX_NAME),
        model=clean_text(text_of(tags, "Image Model"), _MAX_NAME),
        serial=clean_text(text_of(tags, "EXIF BodySerialNumber"), _MAX_NAME),
        owner=clean_text(text_of(tags, "EXIF CameraOwnerName", "Image Artist"), _MAX_NAME),
    )


def _gps_tags(tags: Tags) -> GpsTags:
    reference = numbers_of(tags, "GPS GPSAltitudeRef") or tuple(
        _bytes_of(tags.get("GPS GPSAltitudeRef"))
    )
    return GpsTags(
        latitude=numbers_of(tags, "GPS GPSLatitude"),
        latitude_ref=text_of(tags, "GPS GPSLatitudeRef"),
        longitude=numbers_of(tags, "GPS GPSLongitude"),
        longitude_ref=text_of(tags, "GPS GPSLongitudeRef"),
        altitude=number_of(tags, "GPS GPSAltitude"),
        altitude_ref=int(reference[0] or 0) if reference else 0,
        status=text_of(tags, "GPS GPSStatus"),
        date=text_of(tags, "GPS GPSDate", "GPS GPSDateStamp"),
        time=numbers_of(tags, "GPS GPSTimeStamp"),
    )


def _bytes_of(value: TagValue | None) -> bytes:
    return value if isinstance(value, bytes) else b""


def _clock_tags(tags: Tags, xmp: XmpTags, gps: GpsTags) -> ClockTags:
    return ClockTags(
        original=text_of(tags, "EXIF DateTimeOriginal"),
        original_subsec=text_of(tags, "EXIF SubSecTimeOriginal", "EXIF SubsecTimeOriginal"),
        original_offset=text_of(tags, "EXIF OffsetTimeOriginal"),
        digitized=text_of(tags, "EXIF DateTimeDigitized"),
        digitized_subsec=text_of(tags, "EXIF SubSecTimeDigitized", "EXIF SubsecTimeDigitized"),
        digitized_offset=text_of(tags, "EXIF OffsetTimeDigitized"),
        xmp=xmp.date,
        gps=gps,
    )


def exposure_text(tags: Tags) -> str:
    """Exposure as photographers write it: "1/250 s, f/2.8, ISO 100, 50 mm"; "" if untold."""
    time = number_of(tags, "EXIF ExposureTime")
    aperture = number_of(tags, "EXIF FNumber")
    speed = number_of(tags, "EXIF ISOSpeedRatings")
    length = number_of(tags, "EXIF FocalLength")
    parts = []
    if time and 1e-6 < time < 86_400:
        parts.append(f"{time:g} s" if time >= 0.4 else f"1/{1 / time:.0f} s")
    if aperture and 0.3 < aperture < 200:
        parts.append(f"f/{aperture:.3g}")
    if speed and 0 < speed < 10_000_000:
        parts.append(f"ISO {speed:.0f}")
    if length and 0.5 < length < 10_000:
        parts.append(f"{length:.3g} mm" if length < 1000 else f"{length:.0f} mm")
    return ", ".join(parts)


def _title(tags: Tags, xmp: XmpTags, iptc: dict[tuple[int, int], list[str]]) -> str:
    described = clean_text(text_of(tags, "Image ImageDescription"))
    if _NO_DESCRIPTION.search(described):
        described = ""
    told = (wide_text_of(tags, "Image XPTitle"), xmp.title, *iptc.get(_TITLE, []), described)
    return next((title for title in map(clean_text, told) if title), "")


def _keywords(tags: Tags, xmp: XmpTags, iptc: dict[tuple[int, int], list[str]]) -> tuple[str, ...]:
    windows = re.split("[;,]", wide_text_of(tags, "Image XPKeywords"))
    return clean_keywords([*xmp.keywords, *iptc.get(_KEYWORDS, []), *windows])


def _iptc(picture: Image.Image) -> dict[tuple[int, int], list[str]]:
    """IPTC records as text; {} where there are none or they are damaged."""
    if not isinstance(picture, ImageFile.ImageFile):
        return {}
    try:
        records = IptcImagePlugin.getiptcinfo(picture) or {}
    except DECODER_FAULTS:
        return {}
    texts: dict[tuple[int, int], list[str]] = {}
    for key, value in records.items():
        if key in (_TITLE, _KEYWORDS):
            values = value if isinstance(value, list) else [value]
            texts[key] = [part.decode("utf-8", "replace") for part in values]
    return texts
