"""`photoapp doctor`: what it prints, does and returns."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands import doctor
from app.startup import opened_engine
from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.engine import Engine
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import open_library
from tests.core.pictures import FAKES, SCENES, draw


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed")
    for scene in SCENES:
        draw(folder / "photos", scene)
    engine = Engine.open(folder / "library", FAKES)
    engine.index([folder / "photos"], Progress())
    engine.library.decisions.add(TitleSet((PhotoId(1),), "kept"))
    engine.close()
    return folder / "library"


@pytest.fixture
def library(indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(doctor, "opened_engine", lambda chosen: opened_engine(chosen, FAKES))
    shutil.copytree(indexed, tmp_path / "library")
    return tmp_path / "library"


class Answer:
    """An exit code and what was printed."""

    def __init__(self, code: int, document: dict[str, Any]) -> None:
        self.code, self.document = code, document

    @property
    def findings(self) -> list[str]:
        return [item["check"] for item in self.document["items"] if not item["ok"]]

    @property
    def done(self) -> str:
        return "; ".join(self.document["done"])


@pytest.fixture
def ask(library: Path, capfd: pytest.CaptureFixture[str]):
    def ask(*words: object) -> Answer:
        code = main(["doctor", "--json", "--library", str(library), *map(str, words)])
        return Answer(code, json.loads(capfd.readouterr().out))

    return ask


def harm(library: Path) -> None:
    paths = LibraryPaths(library)
    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'files'"
        page = connection.execute(query).fetchone()[0]
    with paths.database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xee" * 4096)


def test_all_is_well(ask, library: Path) -> None:
    for words in ((), ("--quick",)):
        answer = ask(*words)
        assert (answer.code, answer.findings, answer.done) == (0, [], "")
        assert answer.document["schema"] == 1


def test_a_backup_is_made_when_asked(ask, library: Path) -> None:
    before = set((library / "backups").iterdir())
    answer = ask("--backup", "--quick")
    assert answer.code == 0
    (made,) = set((library / "backups").iterdir()) - before
    assert str(made) in answer.done


def test_damage_is_found_and_mended(ask, library: Path) -> None:
    harm(library)
    found = ask()
    assert (found.code, found.findings) == (3, ["library file"])
    mended = ask("--repair")
    assert mended.code == 3  # something was lost
    assert "could not be read" in mended.document["lost"][0]
    assert "took from the backup" in mended.done
    opened = open_library(LibraryPaths(library))
    assert [one.value for one in opened.decisions.all()] == [TitleSet((PhotoId(1),), "kept")]
    assert opened.photos.count() == 7
    opened.close()
    assert "library file" not in ask().findings
    assert ask("--repair").document["lost"] == []


def test_the_latest_backup_is_restored(ask, library: Path) -> None:
    ask("--backup", "--quick")
    opened = open_library(LibraryPaths(library))
    opened.decisions.add(TitleSet((PhotoId(1),), "regretted"))
    opened.close()
    answer = ask("--restore", "latest")
    assert answer.done.startswith("restored library-")
    opened = open_library(LibraryPaths(library))
    assert len(opened.decisions.all()) == 1
    opened.close()
    (aside,) = (library / "set-aside").iterdir()
    assert aside.name in answer.done


def test_a_named_backup_is_restored(ask, library: Path, tmp_path: Path) -> None:
    (backup,) = (library / "backups").iterdir()
    shutil.copy(backup, tmp_path / "my copy.sqlite")
    assert "restored my copy.sqlite" in ask("--restore", tmp_path / "my copy.sqlite").done


@pytest.mark.parametrize("name", ["absent.sqlite", "library/settings.toml"])
def test_what_is_no_backup_is_refused(ask, library: Path, tmp_path: Path, name: str) -> None:
    (library / "settings.toml").write_text("")
    before = (library / "library.sqlite").read_bytes()
    answer = ask("--restore", tmp_path / name)
    assert answer.code == 1
    assert answer.document["error"]["kind"] == "InputError"
    assert (library / "library.sqlite").read_bytes() == before


def test_old_models_are_forgotten_when_asked(ask) -> None:
    assert (ask("--forget-old-models").code, ask().findings) == (0, [])


def test_a_library_open_elsewhere_is_not_repaired_by_replacing_it(ask, library: Path) -> None:
    harm(library)
    opened = open_library(LibraryPaths(library))
    opened.facts.get("anything")
    answer = ask("--repair")
    assert (answer.code, answer.document["error"]["kind"]) == (1, "LibraryBusy")
    opened.close()


def test_wrong_settings_are_a_finding(ask, library: Path) -> None:
    (library / "settings.toml").write_text("[backup]\nnewest = 0\n")
    answer = ask()
    assert answer.code == 3
    assert "backup.newest" in answer.document["items"][0]["detail"]
    assert ask("--repair").code == 3  # mending needs no settings


def test_only_one_thing_at_a_time(ask, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--repair", "--backup"]) == 2


def test_it_is_readable(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--library", str(library)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].split() == ["check", "state", "detail"]
    assert all(line.split()[0] for line in lines)
