"""Disks that are full, for real: what was kept stays, errors say what to do, runs go on later."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.cli import main
from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery
from core.engine import Engine, SearchOptions
from core.errors import LibraryUnwritable
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.backup import faults
from core.store.backup_shelf import backups_in
from core.store.library import open_library
from tests.core.pictures import FAKES, Scene, draw
from tests.core.store.mounts import small_disk

pytestmark = pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
PICTURES = 60


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", "3m") as disk:
        yield disk


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of noise, whose thumbnails take room."""
    folder = tmp_path_factory.mktemp("photos")
    chance = np.random.default_rng(1)
    for i in range(PICTURES):
        pixels = chance.integers(0, 255, (256, 320, 3), np.uint8)
        Image.fromarray(pixels).save(folder / f"{i:02}.jpg", quality=60)
    return folder


def fill_up(disk: Path, leave: int = 0) -> Path:
    """Take all the room that is left."""
    filler = disk / "filler"
    with filler.open("ab") as file:
        while (free := shutil.disk_usage(disk).free) > leave:
            file.write(b"\0" * min(free - leave, 65_536))
            file.flush()
    return filler


def told(folder: Path) -> set[tuple[str, str]]:
    library = open_library(LibraryPaths(folder))
    assert library.database.check() == []
    found = library.photos.photos(library.photos.ids())
    names = {(photo.path.name, photo.facts.content_hash) for photo in found}
    for photo in found:
        with Image.open(library.paths.thumbnail(photo.facts.content_hash)) as thumbnail:
            thumbnail.load()
    library.close()
    return names


def test_an_index_run_stops_keeps_and_goes_on_when_there_is_room(
    disk: Path, photos: Path, tmp_path: Path
) -> None:
    engine = Engine.open(disk / "library", FAKES)
    with pytest.raises(LibraryUnwritable) as caught:
        engine.index([photos], Progress())
    assert "space" in caught.value.advice
    engine.close()
    kept = told(disk / "library")
    thumbnails = list((disk / "library" / "thumbnails").rglob("*.jpg"))
    assert 0 < len(thumbnails) < PICTURES
    assert not list((disk / "library" / "thumbnails" / "parts").iterdir())
    for thumbnail in thumbnails:
        with Image.open(thumbnail) as picture:
            picture.load()
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    engine = Engine.open(disk / "library", FAKES)
    report = engine.index([photos], Progress())
    assert report.unchanged == len(kept)
    assert report.added == PICTURES - len(kept)
    engine.close()
    undisturbed = Engine.open(tmp_path / "undisturbed", FAKES)
    undisturbed.index([photos], Progress())
    undisturbed.close()
    assert told(disk / "library") == told(tmp_path / "undisturbed") >= kept


def test_with_no_byte_left_nothing_committed_is_lost(disk: Path, tmp_path: Path) -> None:
    scene = draw(tmp_path / "photos", Scene("a", "red"))
    engine = Engine.open(disk / "library", FAKES)
    engine.index([scene.parent], Progress())
    engine.library.decisions.add(TitleSet((PhotoId(1),), "before"))
    filler = fill_up(disk)
    kept = 0
    with pytest.raises(LibraryUnwritable, match="full|disk"):  # noqa: RUF043
        for kept in range(2000):
            engine.library.decisions.add(TitleSet((PhotoId(1),), f"{kept} {'x' * 500}"))
    assert len(engine.library.decisions.all()) == kept + 1
    answer = engine.search(ComposedQuery("red"), SearchOptions("hybrid", 3), Progress())
    assert len(answer.results) == 1
    assert answer.trace[-1].event == "query not kept"
    checks = {check.name: check for check in engine.examine(Progress())}
    assert not checks["disk"].ok and "GB free" in checks["disk"].detail
    filler.unlink()
    engine.library.decisions.add(TitleSet((PhotoId(1),), "after"))
    engine.close()
    library = open_library(LibraryPaths(disk / "library"))
    assert library.database.check() == []
    assert len(library.decisions.all()) == kept + 2
    library.close()


def test_a_backup_without_room_leaves_the_older_one_and_the_run_succeeds(
    disk: Path, tmp_path: Path
) -> None:
    scene = draw(tmp_path / "photos", Scene("a", "red"))
    library = disk / "library"
    (library).mkdir()
    (library / "settings.toml").write_text("[backup]\nevery_hours = 0\n")
    engine = Engine.open(library, FAKES)
    engine.index([scene.parent], Progress())
    (old,) = backups_in(engine.library.paths.backups)
    fill_up(disk, leave=150_000)
    draw(tmp_path / "photos", Scene("b", "blue"))
    assert engine.index([scene.parent], Progress()).added == 1
    engine.close()
    assert backups_in(library / "backups") == [old]
    assert faults(old.path) == ""
    assert sorted(p.name for p in (library / "backups").iterdir()) == [old.path.name]
    assert main(["doctor", "--backup", "--quick", "--library", str(library)]) == 1


def test_a_library_on_a_full_disk_is_refused_with_advice(
    disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_up(disk)
    assert main(["stats", "--library", str(disk / "library")]) == 1
    said = capsys.readouterr().err
    assert "cannot be written" in said and "space" in said
    assert "Traceback" not in said
