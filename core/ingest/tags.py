"""EXIF tags of a picture as plain values under exifread's names."""

import io
import logging
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import SupportsFloat

import exifread
from PIL import ExifTags, Image

from core.ingest.faults import DECODER_FAULTS

TagValue = str | bytes | tuple[float | None, ...]
"""Text, raw bytes, or numbers (None where a denominator is zero)."""

_MAX_VALUES = 4096


def read_tags(picture: Image.Image, data: bytes) -> dict[str, TagValue]:
    """Tags by exifread; by Pillow where exifread finds none or fails; {} where both do.

    `data` are the bytes of the file; they are only read for TIFF, whose header is its EXIF.
    """
    raw = picture.info.get("exif")
    if picture.format == "TIFF":
        raw = data
    found: dict[str, TagValue] = {}
    if isinstance(raw, bytes):
        found = _by_exifread(raw.removeprefix(b"Exif\0\0"))
    return found or _by_pillow(picture)


def _by_exifread(raw: bytes) -> dict[str, TagValue]:
    logging.getLogger("exifread").setLevel(logging.CRITICAL)  # damaged files are our own report
    try:
        tags = exifread.process_file(io.BytesIO(raw), details=False, extract_thumbnail=False)
    except DECODER_FAULTS:
        return {}
    plain = {name: _plain(getattr(tag, "values", tag)) for name, tag in tags.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _by_pillow(picture: Image.Image) -> dict[str, TagValue]:
    try:
        return dict(_pillow_tags(picture))
    except DECODER_FAULTS:
        return {}


def _pillow_tags(picture: Image.Image) -> Iterator[tuple[str, TagValue]]:
    exif = picture.getexif()
    groups: tuple[tuple[str, Mapping[int, object], Mapping[int, str]], ...] = (
        ("Image", exif, ExifTags.TAGS),
        ("EXIF", exif.get_ifd(ExifTags.IFD.Exif), ExifTags.TAGS),
        ("GPS", exif.get_ifd(ExifTags.IFD.GPSInfo), ExifTags.GPSTAGS),
    )
    for group, values, names in groups:
        for number, value in values.items():
            plain = _plain(value)
            if plain is not None and number in names:
                yield f"{group} {names[number]}", plain


def _plain(value: object) -> TagValue | None:
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_number(part) for part in value[:_MAX_VALUES])
    number = _number(value)
    return None if number is None else (number,)


def _number(value: object) -> float | None:
    """A number as float; None for zero denominators and for what is no number."""
    try:
        if isinstance(value, Fraction):
            return value.numerator / value.denominator
        return float(value) if isinstance(value, SupportsFloat) else None
    except (ArithmeticError, ValueError, TypeError):
        return None


def text_of(tags: Mapping[str, TagValue], *names: str) -> str:
    """The first of the tags that holds text."""
    for name in names:
        value = tags.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, str) and value.strip("\0 "):
            return value
    return ""


def numbers_of(tags: Mapping[str, TagValue], name: str) -> tuple[float | None, ...]:
    """The numbers of a tag, () where it is absent or no numbers."""
    value = tags.get(name)
    return value if isinstance(value, tuple) else ()


def number_of(tags: Mapping[str, TagValue], name: str) -> float | None:
    """The first number of a tag."""
    numbers = numbers_of(tags, name)
    return numbers[0] if numbers else None


def wide_text_of(tags: Mapping[str, TagValue], name: str) -> str:
    """The text of a Windows (XP…) tag, UTF-16 in bytes."""
    value = tags.get(name, ())
    if isinstance(value, str):
        return value
    try:
        raw = value if isinstance(value, bytes) else bytes(int(part or 0) for part in value)
    except (ValueError, OverflowError):
        return ""
    return raw.decode("utf-16-le", "ignore").split("\0")[0]
