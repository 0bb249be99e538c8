"""Bytes of real blocks, bent in every way: nothing but values comes out of them.

The quick runs are part of every test run; the long ones (`make soak`) also bend the blocks of
the development photos where those lie beside the checkout.
"""

import io
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pillow_heif
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from core.domain.photo import CompanionRole, FileStamp
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.beside import with_companions
from core.ingest.metadata.clock import ClockTags, read_clock
from core.ingest.metadata.gps import GpsTags
from core.ingest.metadata.iptc import read_iptc
from core.ingest.metadata.metadata import read_metadata_bytes
from core.ingest.metadata.regions import Stored
from core.ingest.metadata.takeout import read_takeout
from core.ingest.metadata.tiff import read_tiff
from core.ingest.metadata.xmp import read_xmp
from tests.core.ingest.metadata.metadata_files import (
    beside,
    exif_block,
    full_exif,
    iptc,
    jpeg,
    listed,
    packet,
    pictures,
    resources,
)

SHARED = Path(__file__).parents[5] / "shared" / "data" / "photos"
NOWHERE = FileStamp(Path("a.jpg"), 0, 0)
HEAD_BYTES = 100_000
NASTY = (0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
QUICK = settings(max_examples=150, deadline=None)
LONG = settings(
    max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


@dataclass(frozen=True, slots=True)
class Bend:
    """One change of bytes: where (from 0 to 1), how, and with what."""

    kind: str
    place: float
    other: float
    value: int

    def of(self, raw: bytes, donor: bytes) -> bytes:
        at = int(self.place * len(raw))
        size = 1 + int(self.other * 64)
        match self.kind:
            case "flip":
                return (
                    raw[:at]
                    + bytes(b ^ (1 << self.value % 8) for b in raw[at : at + 1])
                    + (raw[at + 1 :])
                )
            case "number":
                form = ("<I", ">I", "<H", ">H")[self.value % 4]
                number = NASTY[self.value % len(NASTY)] & (0xFFFFFFFF if "I" in form else 0xFFFF)
                packed = struct.pack(form, number)
                return raw[:at] + packed + raw[at + len(packed) :]
            case "splice":
                start = int(self.other * len(donor))
                return raw[:at] + donor[start : start + 4096] + raw[at:]
            case "repeat":
                return raw[:at] + raw[at : at + size] * (1 + self.value % 50) + raw[at:]
            case "remove":
                return raw[:at] + raw[at + size :]
            case _:
                return raw[:at]


BENDS = st.lists(
    st.builds(
        Bend,
        st.sampled_from(["flip", "flip", "number", "number", "splice", "repeat", "remove", "cut"]),
        st.floats(0, 1, exclude_max=True),
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 1000),
    ),
    min_size=1,
    max_size=6,
)


def words_of_all() -> bytes:
    """A packet that uses every schema that is read."""
    face = (
        '<mwg-rs:Regions rdf:parseType="Resource">'
        '<mwg-rs:AppliedToDimensions stDim:w="4" stDim:h="3" stDim:unit="pixel"/>'
        '<mwg-rs:RegionList><rdf:Bag><rdf:li><rdf:Description mwg-rs:Name="Anna">'
        '<mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:w="0.2" stArea:h="0.1"/>'
        "</rdf:Description></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
        '<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>'
        '<rdf:li MPReg:Rectangle="0.1, 0.2, 0.3, 0.4" MPReg:PersonDisplayName="Ben"/>'
        "</rdf:Bag></MPRI:Regions></MP:RegionInfo>"
    )
    lists = listed("dc:subject", "sea", "pier") + listed("digiKam:TagsList", "Places/Italy/Pier")
    return packet(
        face + lists + listed("dc:title", "Harbour", kind="Alt"),
        'xmp:Rating="4" exif:GPSLatitude="43,28.2N" exif:GPSLongitude="11,53.1E"'
        ' exif:DateTimeOriginal="2019-07-14T12:30:00+02:00"',
    )


@cache
def made_files() -> tuple[bytes, ...]:
    """One file of each format with all blocks, and a TIFF."""
    pillow_heif.register_heif_opener()
    records = iptc((25, b"pier"), (90, b"Arezzo"), (120, b"caption"), utf8=True)
    buffer = io.BytesIO()
    more = {700: words_of_all(), 33723: records, 34377: resources(records)}
    Image.new("RGB", (8, 6)).save(buffer, "TIFF", tiffinfo=more)
    xp = exif_block({0x9C9B: tuple("Über\0".encode("utf-16-le")), 0x4746: 4, 0x4749: 75})
    every = pictures(full_exif(), words_of_all())
    files = [*every.values(), jpeg(full_exif(), words_of_all(), records), jpeg(xp)]
    return (*files, buffer.getvalue(), full_exif())


@cache
def shared_files() -> tuple[bytes, ...]:
    """The heads of the development photos, () where there are none."""
    paths = [path for path in sorted(SHARED.rglob("*")) if path.is_file()]
    heads = []
    for path in paths:
        with path.open("rb") as file:
            heads.append(file.read(HEAD_BYTES))
    return tuple(heads)


def bent(files: Sequence[bytes], which: int, donor: int, bends: Sequence[Bend]) -> bytes:
    raw = files[which % len(files)]
    for bend in bends:
        raw = bend.of(raw, files[donor % len(files)])
    return raw


def check(found: Metadata) -> None:
    """What must hold of any metadata, whatever the bytes were."""
    now = datetime.now(UTC)
    if found.taken is not None:
        assert found.taken.local.replace(tzinfo=UTC) < now + timedelta(days=3)
        assert found.taken.offset is None or abs(found.taken.offset) <= timedelta(hours=14)
    assert (found.point is None) == (found.point_source is None)
    if found.point is not None:
        assert abs(found.point.latitude) <= 90 and abs(found.point.longitude) <= 180
        assert found.point.altitude is None or math.isfinite(found.point.altitude)
    assert found.rating is None or -1 <= found.rating <= 5
    assert len(found.tags) <= 200
    texts = [found.title, found.exposure, found.camera.owner, found.camera.text]
    for tag in found.tags:
        texts += tag.levels
        region = tag.region
        if region is not None:
            edges = (region.left, region.top, region.width, region.height)
            assert all(0 <= edge <= 1 for edge in edges)
            assert region.left + region.width <= 1 + 1e-9
            assert region.top + region.height <= 1 + 1e-9
    assert all(text.isprintable() and len(text) <= 300 for text in texts)


WHICH = st.integers(0, 10_000)


@QUICK
@given(WHICH, WHICH, BENDS)
def test_bent_files(which: int, donor: int, bends: list[Bend]) -> None:
    check(read_metadata_bytes(bent(made_files(), which, donor, bends), NOWHERE))


@pytest.mark.soak
@LONG
@given(WHICH, WHICH, BENDS)
def test_bent_files_long(which: int, donor: int, bends: list[Bend]) -> None:
    check(read_metadata_bytes(bent(made_files(), which, donor, bends), NOWHERE))


@pytest.mark.soak
@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED.is_dir(), reason="the development photos are not here")
@LONG
@given(WHICH, WHICH, BENDS)
def test_bent_photos_of_many_cameras(which: int, donor: int, bends: list[Bend]) -> None:
    check(read_metadata_bytes(bent(shared_files(), which, donor, bends), NOWHERE))


@pytest.mark.soak
@LONG
@given(st.binary(max_size=400), st.sampled_from([b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b""]))
def test_any_bytes_as_blocks(raw: bytes, start: bytes) -> None:
    read_tiff(start + raw)
    read_iptc(raw, b"8BIM" + raw)
    check(read_metadata_bytes(jpeg(start + raw, raw[:200], raw), NOWHERE))


@pytest.mark.soak
@LONG
@given(WHICH, WHICH, BENDS, st.integers(1, 8))
def test_bent_packets(which: int, donor: int, bends: list[Bend], orientation: int) -> None:
    packets = (words_of_all(), words_of_all().decode().encode("utf-16"), packet())
    found = read_xmp(bent(packets, which, donor, bends))
    found.words(Stored(orientation, 4, 3))
    assert found.rating is None or -1 <= found.rating <= 5


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [
        "title",
        "description",
        "photoTakenTime",
        "geoData",
        "geoDataExif",
        "people",
        "favorited",
        "albumData",
    ]
)


@pytest.mark.soak
@LONG
@given(st.dictionaries(NAMES, JSON), BENDS)
def test_bent_takeout(told: dict[str, object], bends: list[Bend]) -> None:
    raw = json.dumps(told).encode()
    read_takeout(raw)
    read_takeout(bent([raw], 0, 0, bends))


@pytest.mark.soak
@settings(LONG, max_examples=2000)
@given(WHICH, BENDS)
def test_bent_companions(
    tmp_path_factory: pytest.TempPathFactory, which: int, bends: list[Bend]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    told = json.dumps({"photoTakenTime": {"timestamp": "1563100200"}, "people": [{"name": "A"}]})
    files = (words_of_all(), told.encode())
    raw = bent(files, which, which + 1, bends)
    roles = (CompanionRole.SIDECAR, CompanionRole.TAKEOUT)
    companions = [beside(folder / f"bent-{role.name}", role, raw) for role in roles]
    check(with_companions(Metadata(), NOWHERE, companions))


TEXT = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"\d{4}[:\-/. ]\d{1,2}.\d{1,2}[ T]\d{1,2}.\d{1,2}(.\d{1,9})*[Z+\-\d:]*"),
    st.sampled_from(["0000:00:00 00:00:00", "9999:12:31 23:59:59", "0001:01:01", "-14:00"]),
)
PARTS = st.lists(st.none() | st.floats(), max_size=4)


@pytest.mark.soak
@LONG
@given(st.lists(TEXT, min_size=9, max_size=9), PARTS, st.integers(-(2**70), 2**70))
def test_any_words_of_clocks(texts: list[str], time: list[float | None], modified: int) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    tags = ClockTags(*texts[:6], changed=texts[6], xmp=texts[7], iptc=texts[0])
    gps = GpsTags(date=texts[8], time=time, status=texts[1][:2])
    for given_tags in (tags, ClockTags(gps=gps), ClockTags(texts[2], gps=gps)):
        taken = read_clock(given_tags, texts[3], modified, now)
        assert taken is None or taken.local < datetime(2026, 6, 4)
