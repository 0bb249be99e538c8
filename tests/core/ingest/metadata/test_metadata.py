"""What files say of themselves: every format, every block, every damage."""

import io
import struct
from datetime import datetime
from pathlib import Path

import piexif
import pillow_heif
import pytest
from PIL import Image

from core.domain.moment import ClockSource
from core.domain.photo import FileStamp, PointSource
from core.domain.tag import TagKind, tag_names
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.iptc import read_iptc
from core.ingest.metadata.metadata import read_metadata, read_metadata_bytes, read_metadata_file
from core.ingest.metadata.tiff import read_tiff
from tests.core.ingest.metadata.metadata_files import (
    exif_block,
    full_exif,
    iptc,
    jpeg,
    listed,
    packet,
    pictures,
    resources,
    stamp,
)

NOWHERE = FileStamp(Path("a.jpg"), 0, 0)


def read(data: bytes) -> Metadata:
    return read_metadata_bytes(data, NOWHERE)


def test_what_a_camera_writes() -> None:
    found = read(jpeg(full_exif()))
    assert found.taken is not None and found.taken.iso == "2008-10-22T16:28:39.250000+02:00"
    assert found.point is not None and found.point.altitude == 250.0
    assert found.point.latitude == pytest.approx(43.467447, abs=1e-6)
    assert found.point_source is PointSource.EXIF
    assert (found.camera.text, found.camera.serial) == ("NIKON COOLPIX P6000", "4711")
    assert found.exposure == "1/75 s, f/5.9, ISO 64, 24 mm"
    assert found.rating == 3
    assert found.from_camera


@pytest.fixture(scope="module")
def formats() -> dict[str, bytes]:
    pillow_heif.register_heif_opener()
    return pictures(full_exif(), packet(listed("dc:subject", "harbour")))


@pytest.mark.parametrize("name", ["JPEG", "PNG", "PNG of ImageMagick", "WEBP", "HEIF", "AVIF"])
def test_every_format_says_the_same(name: str, formats: dict[str, bytes], tmp_path: Path) -> None:
    file = stamp(tmp_path / "a.bin", formats[name])
    with Image.open(file.path) as picture:
        opened = read_metadata(picture, formats[name], file)
    assert opened == read_metadata_file(file) == read_metadata_bytes(formats[name], file)
    assert opened.taken is not None and opened.taken.source is ClockSource.ORIGINAL
    assert opened.point is not None
    assert tag_names(opened.tags) == ("harbour",)


def gif(xmp: bytes, frames: int = 2) -> bytes:
    buffer = io.BytesIO()
    drawn = [Image.new("P", (8, 8), number) for number in range(frames)]
    drawn[0].save(buffer, "GIF", save_all=True, append_images=drawn[1:])
    trailer = b"\1" + bytes(range(255, -1, -1)) + b"\0"
    block = b"\x21\xff\x0bXMP DataXMP" + xmp + trailer
    return buffer.getvalue()[:-1] + block + b";"


def test_a_gif_keeps_its_packet_between_frames() -> None:
    assert tag_names(read(gif(packet(listed("dc:subject", "harbour")))).tags) == ("harbour",)
    assert read(gif(b"")).tags == ()
    whole = gif(packet())
    assert all(read(whole[:end]).tags == () for end in range(0, len(whole), 7))


def test_tiff_keeps_the_other_blocks_in_tags(tmp_path: Path) -> None:
    file = tmp_path / "a.tif"
    records = iptc((25, b"pier"))
    more = {700: packet(listed("dc:subject", "harbour")), 33723: records}
    Image.new("RGB", (64, 48)).save(file, exif=piexif.dump({"0th": {271: b"NIKON"}}), tiffinfo=more)
    found = read_metadata_file(FileStamp(file, file.stat().st_size, 0))
    assert tag_names(found.tags) == ("harbour", "pier")


def test_canons_boxes() -> None:
    def box(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content) + 8) + kind + content

    def directory(*entries: tuple[int, int, int, bytes]) -> bytes:
        head = b"II*\0" + struct.pack("<IH", 8, len(entries))
        packed = b"".join(struct.pack("<HHI", *e[:3]) + e[3].ljust(4, b"\0") for e in entries)
        return head + packed + b"\0" * 4

    first = directory((271, 2, 4, b"EOS"))
    camera = directory((0x8827, 3, 1, struct.pack("<H", 400)))
    gps = directory((9, 2, 2, b"V"), (1, 2, 2, b"N"))
    name = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
    inner = box(b"CMT1", first) + box(b"CMT2", camera) + box(b"CMT4", gps)
    data = box(b"ftyp", b"crx \0\0\0\1") + box(b"moov", box(b"uuid", name + inner))
    found = read(data)
    assert found.camera.make == "EOS" and found.exposure == "ISO 400"


def test_position_of_xmp_where_exif_has_none() -> None:
    told = packet(attributes='exif:GPSLatitude="33,51.5S" exif:GPSLongitude="151,12.6E"')
    found = read(jpeg(exif_block({271: b"X"}), told))
    assert found.point is not None and found.point_source is PointSource.XMP
    assert (found.point.latitude, found.point.longitude) == pytest.approx((-33.858333, 151.21))
    both = read(jpeg(full_exif(), told))
    assert both.point_source is PointSource.EXIF


def test_why_there_is_no_position() -> None:
    void = exif_block(gps={1: b"N", 2: ((43, 0), (0, 1), (0, 1)), 3: b"E", 4: ((11, 1),) * 3})
    found = read(jpeg(void))
    assert (found.point, found.point_source, found.gps_problem) == (None, None, "zero denominator")


def test_titles_by_their_worth() -> None:
    camera = exif_block({piexif.ImageIFD.ImageDescription: b"OLYMPUS DIGITAL CAMERA"})
    assert read(jpeg(camera)).title == ""
    caption = exif_block({piexif.ImageIFD.ImageDescription: "Zürich at dusk".encode()})
    assert read(jpeg(caption)).title == "Zürich at dusk"
    named = exif_block({piexif.ImageIFD.XPTitle: tuple("Über\0".encode("utf-16-le"))})
    assert read(jpeg(named)).title == "Über"
    records = iptc((5, b"By IPTC"), (120, b"A caption"))
    assert read(jpeg(caption, b"", records)).title == "By IPTC"
    told = packet(listed("dc:title", "By XMP", kind="Alt"))
    assert read(jpeg(named, told, records)).title == "By XMP"


@pytest.mark.parametrize(
    ("value", "utf8", "text"),
    [
        (b"caf\xc3\xa9", True, "café"),
        (b"caf\xe9", False, "café"),
        (b"caf\xc3\xa9", False, "café"),
        ("cafÃ©".encode(), False, "café"),
        (b"caf\xe9", True, "café"),
    ],
)
def test_charsets_of_iptc(value: bytes, utf8: bool, text: str) -> None:
    assert read_iptc(b"", resources(iptc((25, value), utf8=utf8))).keywords == (text,)


def test_iptc_place_and_date() -> None:
    records = iptc(
        (90, b"Arezzo"), (95, b"Tuscany"), (101, b"Italy"), (55, b"20081022"), (60, b"162839+0200")
    )
    found = read(jpeg(records=records))
    assert [(t.kind, t.levels) for t in found.tags] == [
        (TagKind.PLACE, ("Italy", "Tuscany", "Arezzo"))
    ]
    assert found.taken is not None and found.taken.iso == "2008-10-22T16:28:39+02:00"
    assert found.taken.source is ClockSource.IPTC


def test_the_same_word_in_three_places_is_one_tag() -> None:
    words = exif_block({piexif.ImageIFD.XPKeywords: tuple("pier; Dock\0".encode("utf-16-le"))})
    told = packet(
        listed("dc:subject", "Pier", "sea", "People", "Anna")
        + listed("lr:hierarchicalSubject", "Places|Italy|Pier", "People|Anna")
    )
    found = read(jpeg(words, told, iptc((25, b"sea"))))
    assert [(t.kind, t.levels) for t in found.tags] == [
        (TagKind.PLACE, ("Places", "Italy", "Pier")),
        (TagKind.PERSON, ("People", "Anna")),
        (TagKind.KEYWORD, ("sea",)),
        (TagKind.KEYWORD, ("Dock",)),
    ]


@pytest.mark.parametrize(
    ("number", "value", "stars"), [(0x4746, 5, 5), (0x4746, 6, None), (0x4749, 50, 3)]
)
def test_ratings_of_exif(number: int, value: int, stars: int | None) -> None:
    assert read(jpeg(exif_block({number: value}))).rating == stars


def test_text_is_made_harmless() -> None:
    evil = "\u202egnp.exe\x1b[31m" + "x" * 5000
    found = read(jpeg(xmp=packet(listed("dc:title", evil.replace("\x1b", ""), kind="Alt"))))
    assert "\u202e" not in found.title and len(found.title) <= 300


class Counted(bytes):
    """Bytes that count how often a part of them is read."""

    reads = 0

    def __getitem__(self, part: object) -> object:  # type: ignore[override]
        self.reads += 1
        return super().__getitem__(part)  # type: ignore[index]


def _circle(order: str = "<") -> bytes:
    """Directories that point to themselves and each other, with counts beyond the file."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entries = [
        (0x8769, 4, 1, 8),
        (0x8825, 4, 1, 8),
        (0x014A, 4, 0xFFFFFFFF, 8),
        (0x010F, 2, 0xFFFFFFFF, 8),
        (0x9003, 2, 20, 0xFFFFFFF0),
        (0xA005, 4, 1, 8),
    ]
    packed = b"".join(struct.pack(order + "HHII", *entry) for entry in entries)
    return mark + struct.pack(order + "IH", 8, 0xFFFF) + packed + struct.pack(order + "I", 8)


@pytest.mark.parametrize("order", "<>")
def test_pointers_in_a_circle_end(order: str) -> None:
    data = Counted(_circle(order))
    read_tiff(data)
    assert data.reads < 3 * 512
    assert read(jpeg(_circle(order))).taken is None


def test_a_huge_count_reads_no_more_than_is_there() -> None:
    entry = struct.pack("<HHII", 0x010F, 2, 0xFFFFFFFF, 26)
    tags = read_tiff(b"II*\0" + struct.pack("<IH", 8, 1) + entry + b"\0" * 4 + b"NIKON\0")
    assert tags == {"Make": "NIKON"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8" + b"\xff\xe1\0\2" * 100_000,
        b"\xff\xd8" + b"\xff" * 400_000,
        b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0IDAT\0\0\0\0" * 100_000,
        b"GIF89a" + b"\0" * 7 + b"\x21\xfe\1\1\0" * 100_000,
        b"GIF89a" + b"\0" * 7 + b"\x21\xfe" + b"\1" * 400_000,
        b"RIFF\0\0\0\0WEBP" + b"VP8 \0\0\0\0" * 100_000,
        b"\0\0\0\x08free" * 100_000,
    ],
)
def test_a_file_of_endless_parts_ends(data: bytes) -> None:
    counted = Counted(data)
    assert read_metadata_bytes(counted, NOWHERE).title == ""
    assert counted.reads < 50_000


def test_what_only_a_decoder_finds() -> None:
    picture = Image.new("RGB", (8, 8))
    picture.info["xmp"] = packet(listed("dc:subject", "harbour"))
    picture.getexif()[271] = "NIKON"
    found = read_metadata(picture, b"GIF89a", NOWHERE)
    assert tag_names(found.tags) == ("harbour",) and found.camera.make == "NIKON"


def test_a_missing_file_is_the_callers() -> None:
    with pytest.raises(OSError):
        read_metadata_file(FileStamp(Path("/nowhere/a.jpg"), 0, 0))


def test_changed_date_with_its_own_offset() -> None:
    block = exif_block({306: b"2019:07:14 12:30:00"}, {36880: b"+05:30", 36881: b"-01:00"})
    found = read(jpeg(block))
    assert found.taken is not None and found.taken.source is ClockSource.CHANGED
    assert found.taken.local == datetime(2019, 7, 14, 12, 30)
    assert found.taken.iso.endswith("+05:30")
