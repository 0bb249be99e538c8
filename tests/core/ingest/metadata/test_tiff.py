"""EXIF's structure: what two other writers wrote is read back, in both byte orders."""

import math
import struct

import piexif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.ingest.metadata.tags import number_of, numbers_of, text_of, wide_text_of
from core.ingest.metadata.tiff import read_tiff

TEXT = st.text(st.characters(codec="ascii", exclude_categories=("C",)), min_size=1, max_size=40)
PART = st.integers(0, 2**32 - 1)
RATIO = st.tuples(PART, PART)


@given(
    TEXT, st.integers(0, 65535), RATIO, st.lists(RATIO, min_size=3, max_size=3), st.integers(0, 255)
)
def test_big_endian_as_piexif_writes(
    text: str,
    speed: int,
    time: tuple[int, int],
    latitude: list[tuple[int, int]],
    below: int,
) -> None:
    raw = piexif.dump(
        {
            "0th": {piexif.ImageIFD.Make: text.encode()},
            "Exif": {piexif.ExifIFD.ISOSpeedRatings: speed, piexif.ExifIFD.ExposureTime: time},
            "GPS": {piexif.GPSIFD.GPSLatitude: latitude, piexif.GPSIFD.GPSAltitudeRef: below},
        }
    )
    tags = read_tiff(raw.removeprefix(b"Exif\0\0"))
    assert text_of(tags, "Make").strip() == text.strip()
    assert number_of(tags, "ISOSpeedRatings") == speed
    assert number_of(tags, "ExposureTime") == (time[0] / time[1] if time[1] else None)
    assert numbers_of(tags, "GPSLatitude") == tuple(a / b if b else None for a, b in latitude)
    assert number_of(tags, "GPSAltitudeRef") == below


@given(TEXT, TEXT, st.integers(1, 8))
def test_little_endian_as_pillow_writes(make: str, date: str, orientation: int) -> None:
    exif = Image.Exif()
    exif.endian = "<"
    exif[0x010F], exif[0x0112] = make, orientation
    exif.get_ifd(0x8769)[0x9003] = date
    tags = read_tiff(exif.tobytes().removeprefix(b"Exif\0\0"))
    assert text_of(tags, "Make").strip() == make.strip()
    assert text_of(tags, "DateTimeOriginal").strip() == date.strip()
    assert number_of(tags, "Orientation") == orientation


@pytest.mark.parametrize(
    ("kind", "packed", "value"),
    [
        (1, b"\x05", 5),
        (3, struct.pack("<H", 65535), 65535),
        (4, struct.pack("<I", 2**32 - 1), 2**32 - 1),
        (6, b"\xff", -1),
        (8, struct.pack("<h", -2), -2),
        (9, struct.pack("<i", -3), -3),
        (11, struct.pack("<f", 1.5), 1.5),
        (13, struct.pack("<I", 9), 9),
        (99, b"\x05", None),
    ],
)
def test_numbers_of_every_type(kind: int, packed: bytes, value: float | None) -> None:
    entry = struct.pack("<HHI", 0x4746, kind, 1) + packed.ljust(4, b"\0")
    tags = read_tiff(b"II*\0" + struct.pack("<IH", 8, 1) + entry + b"\0" * 4)
    assert number_of(tags, "Rating") == value


def test_not_a_number_is_told_as_such() -> None:
    entry = struct.pack("<HHI", 0x4746, 11, 1) + struct.pack("<f", math.nan)
    number = number_of(read_tiff(b"II*\0" + struct.pack("<IH", 8, 1) + entry), "Rating")
    assert number is not None and math.isnan(number)


def test_big_tiff() -> None:
    head = b"II" + struct.pack("<HHHQ", 43, 8, 0, 16)
    entry = struct.pack("<HHQ", 0x010F, 2, 6) + b"NIKON\0\0\0"
    assert read_tiff(head + struct.pack("<Q", 1) + entry) == {"Make": "NIKON"}


def test_windows_text_may_be_of_any_bytes() -> None:
    assert wide_text_of({"XPTitle": b"\x00\xd8a"}, "XPTitle") == ""
    assert wide_text_of({"XPTitle": (1.0, math.inf)}, "XPTitle") == ""
    assert wide_text_of({"XPTitle": "a".encode("utf-16-le") + b"\0\0b"}, "XPTitle") == "a"
