"""Copies of a library: made beside a writer, whole or not there at all, a handful kept."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId
from core.errors import Cancelled, LibraryUnwritable
from core.paths import LibraryPaths
from core.progress import Progress, ProgressReport
from core.settings import BackupSettings
from core.store import backup as backup_module
from core.store.backup import back_up, back_up_without_vectors, faults, sweep
from core.store.backup_shelf import (
    Backup,
    backups_in,
    is_due,
    make_backup,
    newest_whole,
    spare,
    why_not,
)
from core.store.library import Library, open_library

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)
USUAL = BackupSettings()


@pytest.fixture
def library(make_library) -> Library:
    library = make_library(["red", "blue", "green red"])
    library.decisions.add(TitleSet((PhotoId(1),), "A title"))
    library.judgements.remember(QueryId("q"), ComposedQuery("red"))
    library.judgements.judge(QueryId("q"), [1], [2])
    return library


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a file, its schema too."""
    with closing(sqlite3.connect(path)) as connection:
        made = connection.execute("SELECT name, type, sql FROM sqlite_master ORDER BY name")
        found = {"": made.fetchall()}
        for name, kind, _ in found[""]:
            if kind == "table":
                found[name] = sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr)
        found["version"] = connection.execute("PRAGMA user_version").fetchall()
    return found


def test_a_whole_copy_equals_the_library(library: Library, tmp_path: Path) -> None:
    with closing(library.database.connection()) as connection:
        back_up(connection, tmp_path / "backups" / "copy.sqlite", Progress())
    assert rows_of(tmp_path / "backups" / "copy.sqlite") == rows_of(library.paths.database)
    assert os.listdir(tmp_path / "backups") == ["copy.sqlite"]  # noqa: PTH208


def test_a_regular_copy_lacks_the_vectors_alone(library: Library, tmp_path: Path) -> None:
    with closing(library.database.connection()) as connection:
        back_up_without_vectors(connection, tmp_path / "copy.sqlite", Progress())
    whole, copy = rows_of(library.paths.database), rows_of(tmp_path / "copy.sqlite")
    assert len(whole.pop("vectors")) == 6
    assert copy.pop("vectors") == []
    assert copy == whole
    copied = LibraryPaths(tmp_path / "other")
    copied.root.mkdir()
    (tmp_path / "copy.sqlite").rename(copied.database)
    opened = open_library(copied)
    assert opened.database.check() == []
    assert len(opened.photos.photos(opened.photos.ids())) == 3
    assert [i for i, _ in opened.profiles.match(["red"], 9)] == [1, 3]
    assert opened.decisions.add(TitleSet((PhotoId(2),), "Next")).id == 2
    opened.close()


def test_what_is_written_meanwhile_is_not_in_it_and_is_not_held_up(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(50):
        library.facts.put(f"before {i}", "x" * 4000)
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 5)
    steps: list[int] = []

    class Beside(Progress):
        def report(self, stage: str, done: int, total: int | None = None, detail: str = "") -> None:
            if stage == "back up":
                steps.append(done)
                library.facts.put(f"meanwhile {done}", "y" * 4000)

    for n, copy in enumerate((back_up, back_up_without_vectors)):
        target = tmp_path / f"{n}.sqlite"
        before = sum(
            name.startswith("mean") for name, _ in rows_of(library.paths.database)["facts"]
        )
        with closing(library.database.connection()) as connection:
            steps.clear()
            copy(connection, target, Beside())
        assert len(steps) > 10
        assert steps == sorted(set(steps))  # it never began again
        facts = {name for name, _ in rows_of(target)["facts"]}
        assert {f"before {i}" for i in range(50)} <= facts
        assert sum(name.startswith("meanwhile") for name in facts) == before


@pytest.mark.parametrize("copy", [back_up, back_up_without_vectors])
def test_a_cancelled_copy_leaves_the_older_one(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copy
) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 5)
    target = tmp_path / "backups" / "copy.sqlite"
    with closing(library.database.connection()) as connection:
        copy(connection, target, Progress())
        before = target.read_bytes()
        library.facts.put("later", "word")
        progress = Progress()
        progress.listener = lambda report: progress.cancel()
        with pytest.raises(Cancelled):
            copy(connection, target, progress)
    assert target.read_bytes() == before
    assert os.listdir(target.parent) == [target.name]  # noqa: PTH208


def test_a_damaged_library_gives_no_backup(library: Library, tmp_path: Path) -> None:
    library.close()
    file = library.paths.database
    content = bytearray(file.read_bytes())
    for page in range(3, 12):
        content[page * 4096 : page * 4096 + 4096] = b"\xee" * 4096
    file.write_bytes(content)
    target = tmp_path / "backups" / "copy.sqlite"
    for copy in (back_up, back_up_without_vectors):
        with (
            closing(sqlite3.connect(file, isolation_level=None)) as connection,
            pytest.raises(Exception, match="damaged"),
        ):
            copy(connection, target, Progress())
    assert os.listdir(target.parent) == []  # noqa: PTH208


def test_too_little_room_is_told_before_anything_is_written(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: _Free())
    with (
        closing(library.database.connection()) as connection,
        pytest.raises(LibraryUnwritable, match="MB are free"),
    ):
        back_up(connection, tmp_path / "backups" / "copy.sqlite", Progress())


class _Free:
    free = 10


def test_leftovers_of_killed_backups_go_and_those_being_written_stay(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f"library-1.sqlite.{gone.pid}.partial").write_bytes(b"half")
    (tmp_path / f"library-1.sqlite.{gone.pid}.partial-journal").write_bytes(b"half")
    running = tmp_path / f"library-2.sqlite.{os.getppid()}.partial"
    running.write_bytes(b"half")
    old = tmp_path / "library-3.sqlite.1.partial"
    old.write_bytes(b"half")
    os.utime(old, (1e9, 1e9))
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == [running]


def test_backups_are_due_by_age_and_by_change(library: Library) -> None:
    folder = library.paths.backups
    assert is_due(folder, USUAL, NOW, 0.0)
    made = make_backup(library.database, USUAL, NOW, Progress())
    assert made.made_at == NOW and made.regular and faults(made.path) == ""
    assert not is_due(folder, USUAL, NOW + timedelta(hours=23), 0.1)
    assert is_due(folder, USUAL, NOW + timedelta(hours=23), 0.2)
    assert is_due(folder, USUAL, NOW + timedelta(hours=24), 0.0)
    assert not is_due(folder, BackupSettings(enabled=False), NOW + timedelta(days=9), 1.0)
    assert newest_whole(folder) == made


def test_a_handful_is_kept_whatever_time_passes(library: Library) -> None:
    for day in range(60):
        make_backup(library.database, USUAL, NOW + timedelta(days=day), Progress())
    kept = [backup.made_at for backup in backups_in(library.paths.backups)]
    last = NOW + timedelta(days=59)
    assert kept[:3] == [last - timedelta(days=day) for day in range(3)]
    assert len(kept) <= 3 + 4
    assert len({moment.isocalendar()[:2] for moment in kept}) == 4
    assert last - kept[-1] >= timedelta(days=20)


def test_all_together_are_bounded_and_the_newest_stays() -> None:
    def backup(days: int, size: int, regular: bool = True) -> Backup:
        return Backup(Path(f"{days}.sqlite"), NOW - timedelta(days=days), size, regular)

    many = [backup(0, 6_000_000), backup(1, 3_000_000), backup(2, 3_000_000), backup(9, 900_000)]
    settings = BackupSettings(max_mb=10)
    assert spare(many, settings) == [many[2]]
    assert spare([backup(0, 99_000_000)], settings) == []
    assert spare([backup(50, 1, regular=False), *many[:1]], settings) == []


def test_a_file_that_cannot_serve_says_why(library: Library, tmp_path: Path) -> None:
    made = make_backup(library.database, USUAL, NOW, Progress()).path
    assert why_not(made) == ""
    assert "no such file" in why_not(tmp_path / "absent")
    (tmp_path / "text").write_text("no database" * 1000)
    assert "not a database" in why_not(tmp_path / "text")
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "version 99" in why_not(made)
    assert newest_whole(library.paths.backups) is None


def test_the_report_counts_pages(library: Library, tmp_path: Path) -> None:
    seen: list[ProgressReport] = []
    with closing(library.database.connection()) as connection:
        back_up(connection, tmp_path / "copy.sqlite", Progress(seen.append))
    assert seen[-1].done == seen[-1].total
