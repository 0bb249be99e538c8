"""EXIF's tags out of their TIFF structure: three directories at most, each bounded.

Only the directories that hold something for a library are followed (the first, EXIF, GPS), each
once, so that pointers in a circle and chains without an end cost nothing; counts are bounded by
the bytes that are there. Nothing is raised: what is damaged is left out.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from core.ingest.metadata.text import decoded_text

TagValue = str | bytes | tuple[float | None, ...]
"""Text, raw bytes, or numbers (None where a denominator is zero)."""

_MAX_ENTRIES = 512
_MAX_NUMBERS = 16
_MAX_TEXT_BYTES = 4096
_MAX_BLOCK_BYTES = 4_000_000
_EXIF, _GPS = "ExifOffset", "GPSInfo"
BLOCKS = ("XMP", "IPTC", "Photoshop")
"""Tags of TIFF files that hold other metadata whole."""

_NAMES = {
    0x010E: "ImageDescription",
    0x010F: "Make",
    0x0110: "Model",
    0x0112: "Orientation",
    0x0131: "Software",
    0x0132: "DateTime",
    0x013B: "Artist",
    0x02BC: "XMP",
    0x4746: "Rating",
    0x4749: "RatingPercent",
    0x829A: "ExposureTime",
    0x829D: "FNumber",
    0x83BB: "IPTC",
    0x8649: "Photoshop",
    0x8769: _EXIF,
    0x8825: _GPS,
    0x8827: "ISOSpeedRatings",
    0x9003: "DateTimeOriginal",
    0x9004: "DateTimeDigitized",
    0x9010: "OffsetTime",
    0x9011: "OffsetTimeOriginal",
    0x9012: "OffsetTimeDigitized",
    0x920A: "FocalLength",
    0x9286: "UserComment",
    0x9290: "SubSecTime",
    0x9291: "SubSecTimeOriginal",
    0x9292: "SubSecTimeDigitized",
    0x9C9B: "XPTitle",
    0x9C9C: "XPComment",
    0x9C9E: "XPKeywords",
    0x9C9F: "XPSubject",
    0xA002: "PixelXDimension",
    0xA003: "PixelYDimension",
    0xA430: "CameraOwnerName",
    0xA431: "BodySerialNumber",
}
_GPS_NAMES = {
    1: "GPSLatitudeRef",
    2: "GPSLatitude",
    3: "GPSLongitudeRef",
    4: "GPSLongitude",
    5: "GPSAltitudeRef",
    6: "GPSAltitude",
    7: "GPSTimeStamp",
    9: "GPSStatus",
    29: "GPSDateStamp",
}
_TEXT = (2, 129)
_RAW = (1, 7)
_RATIOS = {5: "II", 10: "ii"}
_NUMBERS = {3: "H", 4: "I", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 13: "I", 16: "Q", 17: "q"}
_SIZES = {kind: struct.calcsize(f"<{code}") for kind, code in {**_NUMBERS, **_RATIOS}.items()}


class Bytes(Protocol):
    """What can be sliced like bytes: a block in memory, or a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a directory is written: byte order, counts, entries, and the room for small values."""

    order: str
    count: str = "H"
    entry: str = "HHI"
    offset: str = "I"

    def numbers(self, data: Bytes, at: int, code: str) -> tuple[int, ...]:
        """Whole numbers at a position, () where the data end before."""
        form = self.order + code
        raw = data[at : at + struct.calcsize(form)]
        return struct.unpack(form, raw) if len(raw) == struct.calcsize(form) else ()


def read_tiff(data: Bytes) -> dict[str, TagValue]:
    """The tags by their EXIF names, {} where the data are no TIFF structure."""
    layout, first = _header(data)
    if layout is None:
        return {}
    tags = dict(_directory(data, layout, first, _NAMES))
    seen = {first}
    for pointer, names in ((_EXIF, _NAMES), (_GPS, _GPS_NAMES)):
        at = _pointed(tags.get(pointer))
        if at and at not in seen:
            seen.add(at)
            tags = {**dict(_directory(data, layout, at, names)), **tags}
    return tags


def read_tiff_of_gps(data: Bytes) -> dict[str, TagValue]:
    """The tags of a structure whose first directory holds GPS tags."""
    layout, first = _header(data)
    return {} if layout is None else dict(_directory(data, layout, first, _GPS_NAMES))


def _header(data: Bytes) -> tuple[_Layout | None, int]:
    """The layout and where the first directory is; RAW formats differ in the magic number."""
    order = {b"II": "<", b"MM": ">"}.get(data[0:2])
    if order is None:
        return None, 0
    layout = _Layout(order)
    if layout.numbers(data, 2, "H") == (43,):
        big = _Layout(order, count="Q", entry="HHQ", offset="Q")
        return big, next(iter(big.numbers(data, 8, "Q")), 0)
    return layout, next(iter(layout.numbers(data, 4, "I")), 0)


def _pointed(value: TagValue | None) -> int:
    number = value[0] if isinstance(value, tuple) and value else None
    return int(number) if number is not None and math.isfinite(number) and number > 0 else 0


def _directory(
    data: Bytes, layout: _Layout, at: int, names: dict[int, str]
) -> Iterator[tuple[str, TagValue]]:
    count = next(iter(layout.numbers(data, at, layout.count)), 0)
    head = struct.calcsize(f"={layout.entry}")
    room = struct.calcsize(f"={layout.offset}")
    at += struct.calcsize(f"={layout.count}")
    entries = data[at : at + min(count, _MAX_ENTRIES) * (head + room)]
    entry = struct.Struct(layout.order + layout.entry)
    for start in range(0, len(entries) - head - room + 1, head + room):
        number, kind, size = entry.unpack_from(entries, start)
        name = names.get(number)
        if name is None:
            continue
        value = _value(data, layout, kind, size, entries[start + head : start + head + room], name)
        if value is not None:
            yield name, value


def _value(
    data: Bytes, layout: _Layout, kind: int, count: int, field: bytes, name: str
) -> TagValue | None:
    if kind in _TEXT or kind in _RAW:
        limit = _MAX_BLOCK_BYTES if name in BLOCKS else _MAX_TEXT_BYTES
        raw = _bytes(data, layout, count, min(count, limit), field)
        return decoded_text(raw) if kind in _TEXT and name not in BLOCKS else raw
    size = _SIZES.get(kind)
    if size is None:
        return None
    many = min(count, _MAX_BLOCK_BYTES // size if name in BLOCKS else _MAX_NUMBERS)
    raw = _bytes(data, layout, count * size, many * size, field)
    if name in BLOCKS:
        return raw
    many = len(raw) // size
    if kind in _RATIOS:
        parts = struct.unpack(f"{layout.order}{_RATIOS[kind] * many}", raw[: many * size])
        return tuple(map(_ratio, parts[::2], parts[1::2]))
    return tuple(
        map(float, struct.unpack(f"{layout.order}{many}{_NUMBERS[kind]}", raw[: many * size]))
    )


def _ratio(above: int, below: int) -> float | None:
    return above / below if below else None


def _bytes(data: Bytes, layout: _Layout, size: int, wanted: int, field: bytes) -> bytes:
    """`wanted` bytes of a value of `size`: in the entry itself, or where the entry points."""
    if size <= len(field):
        return field[:wanted]
    at = struct.unpack(layout.order + layout.offset, field)[0]
    return data[at : at + wanted]
