"""Sidecars: what the library knows is written beside photos, and nothing of others is lost."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.domain.decision import ClockShift, Geotag, RatingSet, TagsSet, TitleSet
from core.domain.photo import Photo, PhotoId
from core.domain.place import GeoPoint
from core.domain.tag import Region, Tag, TagKind, TagSource
from core.engine import Engine
from core.export.copies import ExportOptions
from core.export.describe import Description, stored_as
from core.export.malformed import Malformed
from core.export.packet import Packet
from core.export.sidecars import SidecarReport
from core.ingest.metadata.regions import Stored
from core.ingest.metadata.words import tags_from
from core.ingest.metadata.xmp import read_xmp
from core.progress import Progress
from tests.core.pictures import FAKES, SCENES, draw

OTHERS = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Other 1.0">
 <!-- made by another program -->
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
    xmlns:darktable="http://darktable.sf.net/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmp:Rating="2" crs:Exposure2012="+0.55" darktable:xmp_version="5">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li>
     <rdf:li xml:lang="de-DE">Alt &amp; gut</rdf:li></rdf:Alt></dc:title>
   <dc:subject><rdf:Bag><rdf:li>theirs</rdf:li></rdf:Bag></dc:subject>
   <dc:creator><rdf:Seq><rdf:li>Anna</rdf:li></rdf:Seq></dc:creator>
   <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure"/>
   </rdf:Seq></darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""
WANTED_TAGS = (
    Tag(TagKind.PERSON, ("Erika Müller",), TagSource.HAND, Region(0.1, 0.2, 0.25, 0.3)),
    Tag(TagKind.PLACE, ("Italy", "Arezzo"), TagSource.HAND),
    Tag(TagKind.KEYWORD, ("nature", "flowers", "rose <red> & more"), TagSource.HAND),
    Tag(TagKind.EVENT, ("Wedding",), TagSource.HAND),
)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    for scene in SCENES[:3]:
        draw(folder, scene)
    return folder


@pytest.fixture
def engine(tmp_path: Path, photos: Path) -> Iterator[Engine]:
    with closing(Engine.open(tmp_path / "library", FAKES)) as opened:
        opened.index([photos], Progress())
        yield opened


def id_of(engine: Engine, path: Path) -> PhotoId:
    photo_id = engine.library.photos.id_at(path)
    assert photo_id is not None
    return photo_id


def photo_of(engine: Engine, path: Path) -> Photo:
    return engine.photos([id_of(engine, path)])[0]


def write(engine: Engine, *paths: Path) -> SidecarReport:
    return engine.write_sidecars([id_of(engine, path) for path in paths], Progress())


def edit(engine: Engine, path: Path) -> None:
    ids = (id_of(engine, path),)
    for value in (TitleSet(ids, "A <rose> & more"), RatingSet(ids, 5), TagsSet(ids, WANTED_TAGS)):
        engine.decide(value, Progress())


def snapshot(folder: Path) -> dict[Path, tuple[bytes, int, int]]:
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_sidecar_says_what_the_library_knows(engine: Engine, photos: Path) -> None:
    rose = photos / "rose.jpg"
    edit(engine, rose)
    before = snapshot(photos)
    report = write(engine, rose)
    assert report == SidecarReport((photos / "rose.jpg.xmp",))
    after = snapshot(photos)
    made = after.pop(photos / "rose.jpg.xmp")
    assert after == before
    told = read_xmp(made[0])
    assert (told.title, told.rating) == ("A <rose> & more", 5)
    assert "rose <red> & more" in told.keywords
    tags = {(t.kind, t.name) for t in tags_from(told.words(Stored(1, 96, 64)), TagSource.SIDECAR)}
    assert {(tag.kind, tag.name) for tag in WANTED_TAGS} <= tags
    assert told.date == "2021-07-03T09:00:00+02:00"


def test_a_new_library_reads_all_of_it_back(engine: Engine, photos: Path, tmp_path: Path) -> None:
    rose = photos / "rose.jpg"
    edit(engine, rose)
    ids = (id_of(engine, rose),)
    engine.decide(Geotag(((ids[0], GeoPoint(-33.856789, -70.123456, 12.5)),)), Progress())
    write(engine, rose)
    with closing(Engine.open(tmp_path / "other", FAKES)) as other:
        other.index([photos], Progress())
        facts = photo_of(other, rose).facts
    assert (facts.title, facts.rating) == ("A <rose> & more", 5)
    assert facts.point is not None
    assert facts.point.latitude == pytest.approx(-33.856789, abs=1e-6)
    assert facts.point.longitude == pytest.approx(-70.123456, abs=1e-6)
    assert facts.point.altitude == pytest.approx(12.5)
    by_name = {tag.name: tag for tag in facts.tags}
    for tag in WANTED_TAGS:
        assert by_name[tag.name].kind is tag.kind
    region = by_name["Erika Müller"].region
    assert region is not None
    assert (region.left, region.top, region.width, region.height) == pytest.approx(
        (0.1, 0.2, 0.25, 0.3), abs=1e-5
    )


@pytest.mark.parametrize("orientation", range(1, 9))
def test_faces_lie_where_they_are_however_the_picture_lies(
    engine: Engine, photos: Path, orientation: int
) -> None:
    path = photos / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("RGB", (90, 60), (orientation, 200, 0)).save(path, exif=exif)
    engine.index([photos], Progress())
    edit(engine, path)
    write(engine, path)
    photo = photo_of(engine, path)
    told = read_xmp((photos / "turned.jpg.xmp").read_bytes())
    tags = tags_from(told.words(stored_as(photo, orientation)), TagSource.SIDECAR)
    (region,) = [tag.region for tag in tags if tag.region is not None]
    assert (region.left, region.top, region.width, region.height) == pytest.approx(
        (0.1, 0.2, 0.25, 0.3), abs=1e-5
    )


def test_what_others_wrote_stays(engine: Engine, photos: Path) -> None:
    sidecar = photos / "rose.jpg.xmp"
    sidecar.write_bytes(OTHERS)
    sidecar.chmod(0o640)
    engine.index([photos], Progress())
    edit(engine, photos / "rose.jpg")
    write(engine, photos / "rose.jpg")
    text = sidecar.read_text()
    for kept in (
        'crs:Exposure2012="+0.55"', 'darktable:operation="exposure"', "Anna", "Alt &amp; gut",
        "<!-- made by another program -->", "theirs", 'x:xmptk="Other 1.0"', "<?xpacket",
    ):  # fmt: skip
        assert kept in text
    assert "Old" not in text
    assert text.count("<xmp:Rating>5<") == 1
    assert "xmp:Rating=" not in text
    assert sidecar.stat().st_mode & 0o777 == 0o640
    assert set(read_xmp(text).keywords) > {"theirs"}


def test_a_sidecar_named_like_the_photo_is_taken_too(engine: Engine, photos: Path) -> None:
    (photos / "rose.xmp").write_bytes(OTHERS)
    engine.index([photos], Progress())
    edit(engine, photos / "rose.jpg")
    assert write(engine, photos / "rose.jpg").written == (photos / "rose.xmp",)
    assert not (photos / "rose.jpg.xmp").exists()


def test_a_second_time_there_is_nothing_to_write(engine: Engine, photos: Path) -> None:
    edit(engine, photos / "rose.jpg")
    write(engine, photos / "rose.jpg")
    before = snapshot(photos)
    assert write(engine, photos / "rose.jpg") == SidecarReport((), unchanged=1)
    assert snapshot(photos) == before
    engine.index([photos], Progress())
    assert write(engine, photos / "rose.jpg") == SidecarReport((), unchanged=1)


def test_a_tag_taken_away_is_taken_from_the_sidecar(engine: Engine, photos: Path) -> None:
    (photos / "rose.jpg.xmp").write_bytes(OTHERS)
    engine.index([photos], Progress())
    ids = (id_of(engine, photos / "rose.jpg"),)
    edit(engine, photos / "rose.jpg")
    write(engine, photos / "rose.jpg")
    engine.index([photos], Progress())
    theirs = [t for t in photo_of(engine, photos / "rose.jpg").facts.tags if t.name == "theirs"]
    engine.decide(TagsSet(ids, (), (*theirs, WANTED_TAGS[2])), Progress())
    write(engine, photos / "rose.jpg")
    text = (photos / "rose.jpg.xmp").read_text()
    assert "theirs" not in text
    assert "flowers" not in text
    assert "Erika" in text


def test_a_damaged_sidecar_is_left_as_it_is(engine: Engine, photos: Path) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    deep = b"<a>" * 5000 + b"</a>" * 5000
    for number, content in enumerate((b"<x:xmpmeta", bomb, deep, b"<a/>", b"\xff\xfe\x00")):
        (photos / "rose.jpg.xmp").write_bytes(content)
        engine.index([photos], Progress())
        engine.decide(RatingSet((id_of(engine, photos / "rose.jpg"),), number), Progress())
        report = write(engine, photos / "rose.jpg", photos / "flag.jpg")
        assert [failed.source.name for failed in report.failed] == ["rose.jpg"]
        assert (photos / "rose.jpg.xmp").read_bytes() == content
        assert len(report.written) + report.unchanged == 1


def test_a_folder_that_cannot_be_written_is_listed(
    engine: Engine, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    edit(engine, photos / "rose.jpg")
    monkeypatch.setattr("core.export.sidecars.os.fsync", full)
    before = snapshot(photos)
    report = write(engine, photos / "rose.jpg")
    assert [failed.reason for failed in report.failed] == ["no space left on device"]
    assert snapshot(photos) == before


def test_a_corrected_clock_is_not_corrected_twice(
    engine: Engine, photos: Path, tmp_path: Path
) -> None:
    """The corrected date is written; read again, the decision still holds once."""
    undated = photos / "IMG-20210703-WA0001.jpg"
    Image.new("RGB", (50, 40), "teal").save(undated)
    engine.index([photos], Progress())
    paths = [photos / "rose.jpg", undated]
    for path in paths:
        facts = photo_of(engine, path).facts
        assert facts.taken is not None
        shift = ClockShift(
            facts.contributor, datetime(2021, 7, 3), datetime(2021, 7, 4, 12), timedelta(hours=1)
        )
        engine.decide(shift, Progress())
    before = [photo_of(engine, path).facts.taken for path in paths]
    write(engine, *paths)
    engine.index([photos], Progress())
    after = [photo_of(engine, path).facts.taken for path in paths]
    assert [t and t.local for t in after] == [t and t.local for t in before]
    told = read_xmp((photos / "rose.jpg.xmp").read_bytes())
    assert told.date == "2021-07-03T10:00:00+02:00"


def test_a_link_stays_a_link(engine: Engine, photos: Path, tmp_path: Path) -> None:
    (tmp_path / "real.xmp").write_bytes(OTHERS)
    (photos / "rose.jpg.xmp").symlink_to(tmp_path / "real.xmp")
    engine.index([photos], Progress())
    edit(engine, photos / "rose.jpg")
    write(engine, photos / "rose.jpg")
    assert (photos / "rose.jpg.xmp").is_symlink()
    assert b"A &lt;rose&gt;" in (tmp_path / "real.xmp").read_bytes()


@pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not installed")
def test_exiftool_reads_the_same(engine: Engine, photos: Path) -> None:
    edit(engine, photos / "rose.jpg")
    write(engine, photos / "rose.jpg")
    command = ["exiftool", "-json", "-struct", "-n", str(photos / "rose.jpg.xmp")]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)[0]
    assert (told["Title"], told["Rating"]) == ("A <rose> & more", 5)
    assert told["GPSLatitude"] == pytest.approx(43.463, abs=1e-4)
    assert "Places/Italy/Arezzo" in told["TagsList"]
    assert "People|Erika Müller" in told["HierarchicalSubject"]
    (face,) = told["RegionInfo"]["RegionList"]
    assert (face["Name"], face["Type"]) == ("Erika Müller", "Face")
    assert face["Area"]["X"] == pytest.approx(0.225)


def test_nothing_that_the_library_does_touches_an_original(
    engine: Engine, photos: Path, tmp_path: Path
) -> None:
    """Index, edit, correct, undo, search sessions, export: no byte, time or name changes."""
    before = snapshot(photos)
    folders = {path: path.stat().st_mtime_ns for path in (photos, photos.parent)}
    edit(engine, photos / "rose.jpg")
    ids = engine.library.photos.ids()
    engine.decide(Geotag(tuple((i, GeoPoint(1.0, 2.0)) for i in ids)), Progress())
    engine.undo(Progress())
    engine.sessions(), engine.trips(), engine.duplicates(Progress())
    for photo in engine.photos(ids):
        engine.picture(photo, 1000, Progress())
    engine.export(ids, tmp_path / "library-out" / "copies", ExportOptions(), Progress())
    engine.index([photos], Progress())
    assert snapshot(photos) == before
    assert photos.stat().st_mtime_ns == folders[photos]


NAMES = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="|/"), min_size=1,
    max_size=20,
).map(str.strip).filter(bool)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(names=st.lists(NAMES, max_size=6, unique_by=str.casefold), title=NAMES,
       rating=st.integers(-1, 5))  # fmt: skip
def test_any_words_are_written_and_found_again(names: list[str], title: str, rating: int) -> None:
    packet = Packet.read(OTHERS)
    packet.set_title("dc:title", title)
    packet.set_text("xmp:Rating", str(rating))
    packet.set_bag("dc:subject", names)
    again = Packet.read(packet.written())
    told = read_xmp(again.written())
    assert [n.strip() for n in again.texts("dc:subject")] == names
    assert told.rating == rating
    assert told.title == title


@pytest.fixture
def photo(engine: Engine, photos: Path) -> Photo:
    return photo_of(engine, photos / "rose.jpg")


def test_what_cannot_be_found_again_is_not_written(engine: Engine, photo: Photo) -> None:
    described = Description(photo, stored_as(photo, 1))
    assert described.missing_from(b"") == "the position"
    packet = Packet.read(b"")
    described.put_into(packet)
    assert described.missing_from(packet.written()) == ""
    with pytest.raises(Malformed):
        Packet.read(b"<a/>")
