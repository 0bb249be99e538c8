"""Photos into the system's trash and back: nothing is deleted, nothing is looked at twice."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from send2trash import plat_other

from core.domain.photo import PhotoId
from core.engine import Engine
from core.errors import TrashRefused
from core.export import trash as trash_module
from core.export.trash import files_to_trash
from core.progress import Progress
from tests.core.pictures import FAKES, SCENES, draw

XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>"""


@pytest.fixture
def trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trash of one's own, by the rules of the desktop's; the library reads its place once."""
    folder = tmp_path / "home" / ".local" / "share" / "Trash"
    monkeypatch.setattr(plat_other, "XDG_DATA_HOME", os.fsencode(folder.parent))
    monkeypatch.setattr(plat_other, "HOMETRASH_B", os.fsencode(folder))
    monkeypatch.setattr(trash_module, "send2trash", plat_other.send2trash)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return folder


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    for scene in SCENES[:4]:
        draw(folder, scene)
    (folder / "rose.jpg.xmp").write_bytes(XMP)
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


def test_a_photo_goes_with_its_sidecar_and_leaves_the_library(
    engine: Engine, photos: Path, trash: Path
) -> None:
    rose = id_of(engine, photos / "rose.jpg")
    asked = files_to_trash(engine.library, [rose])
    report = engine.trash([rose], Progress())
    assert set(asked.files) == set(report.files)
    assert {path.name for path in report.files} == {"rose.jpg", "rose.jpg.xmp"}
    assert {p.name for p in (trash / "files").iterdir()} == {"rose.jpg", "rose.jpg.xmp"}
    told = (trash / "info" / "rose.jpg.trashinfo").read_text()
    assert f"Path={photos / 'rose.jpg'}" in told
    assert not (photos / "rose.jpg").exists()
    assert engine.photo_at(photos / "rose.jpg") is None
    assert engine.library.photos.count() == 3
    assert sum(len(s.photo_ids) for s in engine.sessions()) == 3


def test_what_comes_back_is_known_at_once(engine: Engine, photos: Path, trash: Path) -> None:
    rose = id_of(engine, photos / "rose.jpg")
    engine.trash([rose], Progress())
    (trash / "files" / "rose.jpg").rename(photos / "rose.jpg")
    report = engine.index([photos], Progress())
    assert (report.added, report.embedded) == (1, 0)
    assert id_of(engine, photos / "rose.jpg") == rose


def test_every_copy_of_a_photo_goes(engine: Engine, photos: Path, trash: Path) -> None:
    (photos / "copy.jpg").write_bytes((photos / "lake.jpg").read_bytes())
    engine.index([photos], Progress())
    report = engine.trash([id_of(engine, photos / "lake.jpg")], Progress())
    assert {path.name for path in report.files} == {"copy.jpg", "lake.jpg"}


def test_what_belongs_to_all_of_an_album_stays(engine: Engine, photos: Path, trash: Path) -> None:
    (photos / "metadata.json").write_text('{"albumData": {"title": "Tuscany"}}')
    (photos / "lake.jpg.json").write_text('{"title": "lake.jpg", "description": "the lake"}')
    engine.index([photos], Progress())
    engine.trash([id_of(engine, photos / "lake.jpg")], Progress())
    assert (photos / "metadata.json").exists()
    assert not (photos / "lake.jpg.json").exists()


def test_a_file_on_a_disk_that_is_away_is_not_let_go(
    engine: Engine, photos: Path, trash: Path
) -> None:
    rose = id_of(engine, photos / "rose.jpg")
    photos.rename(photos.parent / "away")
    report = engine.trash([rose], Progress())
    assert report.files == ()
    assert photos / "rose.jpg" in report.absent
    assert engine.photo_at(photos / "rose.jpg") is not None


def test_where_there_is_no_trash_nothing_is_deleted(
    engine: Engine, photos: Path, trash: Path
) -> None:
    trash.parent.mkdir(parents=True)
    trash.write_bytes(b"a file where the trash should be")
    before = sorted(photos.iterdir())
    ids = [id_of(engine, photos / "rose.jpg"), id_of(engine, photos / "lake.jpg")]
    with pytest.raises(TrashRefused) as caught:
        engine.trash(ids, Progress())
    assert "rose.jpg" in caught.value.message
    assert caught.value.advice
    assert sorted(photos.iterdir()) == before
    assert engine.library.photos.count() == 4


def test_what_went_before_a_refusal_is_let_go(
    engine: Engine, photos: Path, trash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_lake(path: Path) -> None:
        if path.name == "lake.jpg":
            raise PermissionError(13, "Permission denied")
        plat_other.send2trash(path)

    monkeypatch.setattr(trash_module, "send2trash", refuse_lake)
    with pytest.raises(TrashRefused, match="permission denied"):
        engine.trash([id_of(engine, photos / n) for n in ("flag.jpg", "lake.jpg")], Progress())
    assert engine.photo_at(photos / "flag.jpg") is None
    assert engine.photo_at(photos / "lake.jpg") is not None
    assert (photos / "lake.jpg").exists()
    assert sum(len(s.photo_ids) for s in engine.sessions()) == 3
