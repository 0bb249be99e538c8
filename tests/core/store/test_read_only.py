"""A library that may not be written is looked at and searched; nothing is lost by trying."""

import json
import logging
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery
from core.engine import Engine, SearchOptions
from core.errors import LibraryUnwritable
from core.logs import log_to_folder, stop_logging
from core.paths import LibraryPaths
from core.progress import Progress
from core.store import opening
from core.store.library import open_library
from tests.core.pictures import FAKES, SCENES, draw
from tests.core.store.mounts import read_only
from tests.core.store.test_migrations import stored


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed library of seven scenes."""
    folder = tmp_path_factory.mktemp("indexed")
    for scene in SCENES:
        draw(folder / "photos", scene)
    engine = Engine.open(folder / "library", FAKES)
    engine.index([folder / "photos"], Progress())
    engine.close()
    return folder / "library"


@pytest.fixture
def folder(indexed: Path, tmp_path: Path) -> Path:
    shutil.copytree(indexed, tmp_path / "library")
    return tmp_path / "library"


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def look_at(folder: Path) -> None:
    """Open, list, search, ask for statistics; then try to write."""
    engine = Engine.open(folder, FAKES)
    assert not engine.library.database.writable
    assert engine.stats().photos == 7
    answer = engine.search(ComposedQuery("red"), SearchOptions("hybrid", 3), Progress())
    assert len(answer.results) == 3
    assert any(event.event == "query not kept" for event in answer.trace)
    assert len(engine.photos([r.photo_id for r in answer.results])) == 3
    assert all(engine.thumbnail(photo) for photo in engine.photos(engine.library.photos.ids()))
    checks = {check.name: check for check in engine.examine(Progress())}
    assert not checks["opening"].ok and "may only be read" in checks["opening"].detail
    assert checks["library file"].ok and checks["words"].ok
    with pytest.raises(LibraryUnwritable, match="only be read"):
        engine.library.facts.put("word", "none")
    with pytest.raises(LibraryUnwritable, match="only be read"):
        engine.library.decisions.add(TitleSet((PhotoId(1),), "none"))
    with pytest.raises(LibraryUnwritable, match="only be read"):
        engine.index([folder.parent / "photos"], Progress())
    engine.close()


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_in_a_folder_that_may_not_be_written(folder: Path) -> None:
    before = everything(folder)
    (folder.parent / "photos").mkdir()
    with read_only(folder):
        look_at(folder)
        assert not list(folder.glob("library.sqlite-*"))
    assert everything(folder) == before


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_as_a_file_that_may_not_be_written(folder: Path) -> None:
    before = (folder / "library.sqlite").read_bytes()
    (folder.parent / "photos").mkdir()
    with read_only(folder / "library.sqlite"):
        look_at(folder)
    assert (folder / "library.sqlite").read_bytes() == before


def test_without_the_right_to_write(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user who is not the owner sees; root may write whatever the rights say."""
    (folder.parent / "photos").mkdir()
    plain = os.access
    refused = {folder, folder / "library.sqlite"}
    monkeypatch.setattr(
        opening.os, "access", lambda p, mode: plain(p, mode) and not (p in refused and mode == 2)
    )
    before = (folder / "library.sqlite").read_bytes()
    look_at(folder)
    assert (folder / "library.sqlite").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_what_a_killed_writer_has_left_in_its_log_is_seen(folder: Path) -> None:
    library = open_library(LibraryPaths(folder))
    library.facts.put("last", "word")
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)  # as it was when the process died: log and all
    library.close()
    assert (copy / "library.sqlite-wal").stat().st_size > 0
    with read_only(copy):
        library = open_library(LibraryPaths(copy))
        assert library.facts.get("last") == "word"
        library.close()
    (copy / "library.sqlite-shm").unlink()  # without its index the log cannot be read in place
    with read_only(copy), pytest.raises(LibraryUnwritable):
        open_library(LibraryPaths(copy))


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_an_old_version_says_that_it_must_climb_first(tmp_path: Path) -> None:
    paths = stored(1, tmp_path / "library")
    before = everything(paths.root)
    with read_only(paths.root), pytest.raises(LibraryUnwritable, match="version 1"):
        open_library(paths)
    assert everything(paths.root) == before
    open_library(paths).close()


def test_a_log_that_cannot_be_written_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in the way").write_text("a file")
    handler = log_to_folder(tmp_path / "in the way")
    logging.getLogger("core.test").warning("nobody reads this")
    stop_logging(handler)
    (tmp_path / "logs").mkdir()
    if Path("/dev/full").exists():  # a disk without room
        (tmp_path / "logs" / "photoapp.log").symlink_to("/dev/full")
    handler = log_to_folder(tmp_path / "logs")
    assert isinstance(handler, logging.FileHandler)
    logging.getLogger("core.test").warning("nor this")
    stop_logging(handler)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_the_command_line_reads_and_refuses_to_write(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> tuple[int, dict[str, Any]]:
        code = main([*words, "--json", "--library", str(folder)])
        return code, json.loads(capfd.readouterr().out)

    with read_only(folder):
        code, stats = run("stats")
        assert (code, stats["photos"]) == (0, 7)
        for word in ("sessions", "trips", "problems"):
            assert run(word)[0] == 0
        for words in (("doctor", "--backup"), ("doctor", "--repair"), ("undo",)):
            code, told = run(*words)
            assert (code, told["error"]["kind"]) == (1, "LibraryUnwritable"), words
            assert told["error"]["advice"]


@pytest.mark.skipif(os.name == "nt", reason="mounts are of Unix")
def test_a_folder_of_caches_that_cannot_be_written_costs_time_alone(folder: Path) -> None:
    (folder / "vectors").mkdir(exist_ok=True)
    with read_only(folder / "vectors"):
        engine = Engine.open(folder, FAKES)
        answer = engine.search(ComposedQuery("red"), SearchOptions("hybrid", 3), Progress())
        assert len(answer.results) == 3
        assert not any(event.event == "query not kept" for event in answer.trace)
        engine.close()
        assert list((folder / "vectors").iterdir()) == []


def test_a_library_that_is_gone_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        opening.open_for_reading(tmp_path / "library.sqlite")
    assert list(tmp_path.iterdir()) == []
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as connection:
        connection.execute("CREATE TABLE t (a)")
    assert not opening.open_for_reading(tmp_path / "library.sqlite").writable
