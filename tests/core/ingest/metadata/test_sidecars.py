"""Files beside a photo: what a sidecar and Takeout add, and what they do not change."""

import json
from pathlib import Path

import pytest

from core.domain.moment import ClockSource
from core.domain.photo import Companion, CompanionRole, FileStamp, PointSource
from core.domain.tag import TagKind, TagSource
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.beside import with_companions
from core.ingest.metadata.metadata import read_metadata_file
from core.ingest.sessions.zones import with_zone
from tests.core.ingest.metadata.metadata_files import (
    beside,
    exif_block,
    full_exif,
    jpeg,
    listed,
    packet,
)
from tests.core.ingest.metadata.metadata_files import stamp as stamp_of

SIDECAR, TAKEOUT = CompanionRole.SIDECAR, CompanionRole.TAKEOUT


def read(tmp_path: Path, data: bytes, *companions: Companion) -> Metadata:
    return read_metadata_file(stamp_of(tmp_path / "a.jpg", data), companions)


def sidecar(tmp_path: Path, raw: bytes, name: str = "a.jpg.xmp") -> Companion:
    return beside(tmp_path / name, SIDECAR, raw)


def takeout(tmp_path: Path, name: str = "a.jpg.json", **told: object) -> Companion:
    told.setdefault("photoTakenTime", {"timestamp": "1563100200"})
    return beside(tmp_path / name, TAKEOUT, json.dumps(told).encode())


def test_a_sidecar_has_the_last_word(tmp_path: Path) -> None:
    own = packet(
        listed("dc:title", "Old", kind="Alt") + listed("dc:subject", "sea"), 'xmp:Rating="2"'
    )
    told = packet(
        listed("dc:title", "New", kind="Alt") + listed("digiKam:TagsList", "People/Anna"),
        'xmp:Rating="5" exif:GPSLatitude="33,51.5S" exif:GPSLongitude="151,12.6E"',
    )
    found = read(tmp_path, jpeg(full_exif(), own), sidecar(tmp_path, told))
    assert (found.title, found.rating) == ("New", 5)
    assert found.point is not None and found.point.latitude < 0
    assert found.point_source is PointSource.SIDECAR
    assert [(tag.name, tag.source) for tag in found.tags] == [
        ("Anna", TagSource.SIDECAR),
        ("sea", TagSource.FILE),
    ]
    assert found.taken is not None and found.taken.source is ClockSource.ORIGINAL


def test_a_silent_sidecar_takes_nothing_away(tmp_path: Path) -> None:
    own = packet(listed("dc:title", "Old", kind="Alt"), 'xmp:Rating="2"')
    data = jpeg(full_exif(), own)
    assert read(tmp_path, data, sidecar(tmp_path, packet())) == read(tmp_path, data)


def test_a_sidecar_that_takes_the_stars_away(tmp_path: Path) -> None:
    own = packet(attributes='xmp:Rating="2"')
    found = read(tmp_path, jpeg(xmp=own), sidecar(tmp_path, packet(attributes='xmp:Rating="0"')))
    assert found.rating == 0


@pytest.mark.parametrize("name", ["exif:DateTimeOriginal", "photoshop:DateCreated"])
def test_the_date_of_a_sidecar_where_exif_has_none(tmp_path: Path, name: str) -> None:
    told = packet(attributes=f'{name}="2019-07-14T12:30:00"')
    found = read(tmp_path, jpeg(exif_block(gps={29: b"2018:01:01"})), sidecar(tmp_path, told))
    assert found.taken is not None and found.taken.source is ClockSource.XMP
    assert found.taken.iso == "2019-07-14T12:30:00"


def test_the_sidecars_date_before_that_of_embedded_xmp(tmp_path: Path) -> None:
    own = packet(attributes='exif:DateTimeOriginal="2001-01-01T01:01:01"')
    told = packet(attributes='exif:DateTimeOriginal="2019-07-14T12:30:00"')
    found = read(tmp_path, jpeg(xmp=own), sidecar(tmp_path, told))
    assert found.taken is not None and found.taken.local.year == 2019


def test_the_sidecar_of_the_whole_name_before_the_other(tmp_path: Path) -> None:
    near = sidecar(tmp_path, packet(attributes='xmp:Rating="5"'))
    far = sidecar(tmp_path, packet(listed("dc:subject", "sea"), 'xmp:Rating="1"'), "a.xmp")
    for order in ((near, far), (far, near)):
        found = read(tmp_path, jpeg(), *order)
        assert found.rating == 5 and found.tags[0].name == "sea"


def test_regions_of_a_sidecar_turn_with_the_photo(tmp_path: Path) -> None:
    told = packet(
        '<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>'
        '<rdf:li MPReg:Rectangle="0, 0, 0.25, 0.5" MPReg:PersonDisplayName="Anna"/>'
        "</rdf:Bag></MPRI:Regions></MP:RegionInfo>"
    )
    found = read(tmp_path, jpeg(exif_block({0x0112: 6})), sidecar(tmp_path, told))
    region = found.tags[0].region
    assert region is not None
    assert (region.left, region.top, region.width, region.height) == (0.5, 0.0, 0.5, 0.25)


def test_a_bad_position_of_a_sidecar_changes_nothing(tmp_path: Path) -> None:
    told = packet(attributes='exif:GPSLatitude="99,0N" exif:GPSLongitude="1,0E"')
    data = jpeg(full_exif())
    assert read(tmp_path, data, sidecar(tmp_path, told)) == read(tmp_path, data)
    bare = read(tmp_path, jpeg(), sidecar(tmp_path, told))
    assert bare.point is None and bare.gps_problem == "out of range"


def test_takeout_fills_what_is_missing(tmp_path: Path) -> None:
    told = takeout(
        tmp_path,
        geoData={"latitude": 43.5, "longitude": 11.9},
        people=[{"name": "Anna"}],
        description="At the pier",
        favorited=True,
    )
    found = read(tmp_path, jpeg(), told)
    assert found.taken is not None and found.taken.iso == "2019-07-14T10:30:00+00:00"
    assert found.taken.source is ClockSource.TAKEOUT
    assert found.point_source is PointSource.TAKEOUT and found.point is not None
    assert found.title == "At the pier"
    assert [(t.kind, t.name, t.source) for t in found.tags] == [
        (TagKind.PERSON, "Anna", TagSource.TAKEOUT),
        (TagKind.KEYWORD, "favorite", TagSource.TAKEOUT),
    ]
    assert found.rating is None


def test_takeout_does_not_beat_the_camera(tmp_path: Path) -> None:
    told = takeout(tmp_path, geoData={"latitude": 1.0, "longitude": 2.0}, description="Other")
    own = packet(listed("dc:title", "Own", kind="Alt"))
    data = jpeg(full_exif(), own)
    assert read(tmp_path, data, told) == read(tmp_path, data)


def test_takeout_before_gps_time_and_file_name_after_xmp(tmp_path: Path) -> None:
    gps = exif_block(gps={29: b"2018:01:01", 7: ((1, 1), (2, 1), (3, 1))})
    file = stamp_of(tmp_path / "IMG-20170102-WA0001.jpg", jpeg(gps))
    found = read_metadata_file(file, [takeout(tmp_path)])
    assert found.taken is not None and found.taken.source is ClockSource.TAKEOUT
    told = packet(attributes='exif:DateTimeOriginal="2016-07-14T12:30:00"')
    found = read_metadata_file(file, [takeout(tmp_path), sidecar(tmp_path, told)])
    assert found.taken is not None and found.taken.source is ClockSource.XMP


def test_takeouts_time_of_1970_is_no_date(tmp_path: Path) -> None:
    found = read(tmp_path, jpeg(), takeout(tmp_path, photoTakenTime={"timestamp": "0"}))
    assert found.taken is None


def test_takeouts_time_becomes_local_where_the_place_is_known(tmp_path: Path) -> None:
    taken = with_zone(read(tmp_path, jpeg(), takeout(tmp_path)).taken, "Asia/Kathmandu")
    assert taken is not None and taken.iso == "2019-07-14T16:15:00+05:45"


def test_the_album_of_the_folder(tmp_path: Path) -> None:
    album = beside(tmp_path / "metadata.json", TAKEOUT, b'{"title": "Summer at sea"}')
    found = read(tmp_path, jpeg(), takeout(tmp_path), album)
    assert [(t.kind, t.name) for t in found.tags] == [(TagKind.ALBUM, "Summer at sea")]
    assert found.taken is not None


def test_films_and_raws_have_companions_too(tmp_path: Path) -> None:
    file = FileStamp(tmp_path / "a.mov", 1, 0)
    told = sidecar(tmp_path, packet(attributes='xmp:Rating="4"'), "a.mov.xmp")
    assert with_companions(Metadata(), file, [told, takeout(tmp_path)]).rating == 4


@pytest.mark.parametrize("role", [SIDECAR, TAKEOUT])
def test_companions_are_never_a_problem(tmp_path: Path, role: CompanionRole) -> None:
    gone = Companion(role, FileStamp(tmp_path / "gone", 1, 1))
    folder = Companion(role, FileStamp(tmp_path, 1, 1))
    noise = beside(tmp_path / "noise", role, bytes(range(256)) * 100)
    huge = beside(tmp_path / "huge", role, b'{"title": "' + b"x" * 1_100_000 + b'"}')
    data = jpeg(full_exif())
    assert read(tmp_path, data, gone, folder, noise, huge) == read(tmp_path, data)
