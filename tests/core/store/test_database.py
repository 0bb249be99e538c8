"""The library file: opened, migrated, shared and refused."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from core.errors import LibraryDamaged, LibraryNewer, LibraryUnwritable
from core.paths import LibraryPaths
from core.store import opening
from core.store.database import Database
from core.store.library import open_library
from core.store.migrations import ladder
from core.store.migrations.ladder import NEWEST, climb, version_of
from core.store.tables import TableBase

_CONNECT = sqlite3.connect


def test_a_new_library_is_at_the_newest_version(tmp_path: Path) -> None:
    database = Database(LibraryPaths(tmp_path))
    with sqlite3.connect(tmp_path / "library.sqlite") as connection:
        assert version_of(connection) == NEWEST
    connection.close()
    assert database.check() == []
    database.close()


def test_the_ladder_makes_the_tables_that_the_code_declares(tmp_path: Path) -> None:
    database = Database(LibraryPaths(tmp_path))
    with database.read() as connection:
        for table in TableBase.metadata.sorted_tables:
            info = connection.exec_driver_sql(f'PRAGMA table_info("{table.name}")').all()
            made = {row[1]: (bool(row[3]) or bool(row[5]), bool(row[5])) for row in info}
            declared = {c.name: (not c.nullable, bool(c.primary_key)) for c in table.columns}
            assert made == declared, table.name
    database.close()


def test_a_library_of_the_future_is_refused_and_left_alone(tmp_path: Path) -> None:
    Database(LibraryPaths(tmp_path)).close()
    file = tmp_path / "library.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {NEWEST + 1}")
    connection.close()
    with pytest.raises(LibraryNewer) as caught:
        Database(LibraryPaths(tmp_path))
    assert "newest photoapp" in caught.value.advice
    with sqlite3.connect(file) as connection:
        assert version_of(connection) == NEWEST + 1
    connection.close()


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(LibraryDamaged):
        Database(LibraryPaths(tmp_path))


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryUnwritable):
        Database(LibraryPaths(tmp_path / "file" / "library"))


def test_a_failed_rung_leaves_the_library_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twice = ("CREATE TABLE facts (name TEXT)", "CREATE TABLE facts (name TEXT)")
    monkeypatch.setattr(ladder, "_RUNGS", (SimpleNamespace(VERSION=1, STATEMENTS=twice),))
    connection = sqlite3.connect(tmp_path / "library.sqlite", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        climb(connection, tmp_path / "backups")
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    assert version_of(connection) == 0
    connection.close()


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "library.sqlite", isolation_level=None)
    connection.execute("CREATE TABLE photos (name TEXT)")
    with pytest.raises(LibraryDamaged, match="not made by photoapp"):
        Database(LibraryPaths(tmp_path))
    tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("photos",)]
    assert version_of(connection) == 0
    connection.close()


def test_a_failed_write_is_undone_whole(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    with pytest.raises(ZeroDivisionError), library.database.write():
        library.facts.put("half", "done")
        raise ZeroDivisionError
    assert library.facts.get("half") == ""
    library.facts.put("whole", "done")
    assert library.facts.get("whole") == "done"
    library.close()


def test_an_error_inside_a_nested_write_undoes_all_of_it(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    database = library.database
    with pytest.raises(RuntimeError, match="has failed"), database.write():
        library.facts.put("outer", "done")
        with contextlib.suppress(ZeroDivisionError), database.write():
            library.facts.put("inner", "half done")
            raise ZeroDivisionError
    assert library.facts.get("outer") == library.facts.get("inner") == ""
    with database.write():
        library.facts.put("outer", "done")
        with database.write():
            library.facts.put("inner", "done")
    assert library.facts.get("outer") == library.facts.get("inner") == "done"
    library.close()


def test_what_is_committed_is_on_the_disk(tmp_path: Path) -> None:
    """Without a flush at each commit a power cut takes the last transactions back."""
    library = open_library(LibraryPaths(tmp_path))
    with library.database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    library.close()


def test_a_read_sees_one_moment_of_the_library(tmp_path: Path) -> None:
    library, other = (open_library(LibraryPaths(tmp_path)) for _ in range(2))
    library.facts.put("word", "old")
    with library.database.read() as connection:
        first = connection.exec_driver_sql("SELECT value FROM facts").scalars().all()
        other.facts.put("word", "new")
        assert connection.exec_driver_sql("SELECT value FROM facts").scalars().all() == first
    assert library.facts.get("word") == "new"
    library.close()
    other.close()


def test_opening_looks_at_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def traced(*words: Any, **options: Any) -> sqlite3.Connection:
        connection = _CONNECT(*words, **options)
        connection.set_trace_callback(asked.append)
        return connection

    Database(LibraryPaths(tmp_path)).close()
    monkeypatch.setattr(sqlite3, "connect", traced)
    Database(LibraryPaths(tmp_path)).close()
    usual = ("PRAGMA journal", "PRAGMA foreign_keys", "PRAGMA synchronous", "PRAGMA user_version")
    others = [one for one in asked if not one.startswith(usual)]
    assert len(asked) > len(others)
    assert set(others) <= {"SELECT 1 FROM sqlite_master"}


def test_the_log_shrinks_after_much_was_written_while_somebody_read(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    log = tmp_path / "library.sqlite-wal"
    with library.database.read() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM facts").all()
        for i in range(300):
            library.facts.put(f"long {i}", "x" * 40_000)
        library.database.checkpoint()
        assert log.stat().st_size > 10_000_000
    library.database.checkpoint()
    assert log.stat().st_size == 0
    assert library.facts.get("long 299") == "x" * 40_000
    library.close()
    assert not log.exists()


def test_a_folder_name_may_hold_any_sign(tmp_path: Path) -> None:
    name = os.fsdecode("50% of a?b#c;mode=ro ü".encode() + (b"\xff" if os.name == "posix" else b""))
    library = open_library(LibraryPaths(tmp_path / name))
    library.facts.put("answer", "42")
    library.close()
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208
    assert "library.sqlite" in os.listdir(tmp_path / name)  # noqa: PTH208
    again = open_library(LibraryPaths(tmp_path / name))
    assert again.facts.get("answer") == "42"
    again.close()


def test_folders_on_a_network_get_no_write_ahead_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library(LibraryPaths(tmp_path))
    assert library.database.access.journal == "wal"
    library.facts.put("made", "on a disk")
    library.close()
    part = SimpleNamespace(mountpoint=str(tmp_path), fstype="nfs4", opts="rw")
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: [part])
    library = open_library(LibraryPaths(tmp_path))
    assert library.database.access.journal == "truncate"
    assert "network" in library.database.access.note
    library.facts.put("kept", "there")
    assert library.facts.get("made") == "on a disk"
    assert not (tmp_path / "library.sqlite-wal").exists()
    write_and_read_in_many_threads(tmp_path)
    library.close()


@pytest.mark.skipif(os.name == "nt", reason="the way to lock files is SQLite's own for Unix")
def test_where_memory_cannot_be_shared_the_journal_is_rolled_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library(LibraryPaths(tmp_path))
    library.facts.put("made", "with a log")
    library.close()
    plain = opening.file_uri
    monkeypatch.setattr(opening, "file_uri", lambda path: f"{plain(path)}?vfs=unix-dotfile")
    library = open_library(LibraryPaths(tmp_path))
    assert (library.database.access.journal, library.facts.get("made")) == (
        "truncate",
        "with a log",
    )
    library.facts.put("kept", "without")
    library.close()
    new = open_library(LibraryPaths(tmp_path / "new"))
    assert new.database.access.journal == "truncate"
    new.facts.put("kept", "without")
    new.close()


def test_many_threads_write_and_read_without_being_refused(tmp_path: Path) -> None:
    open_library(LibraryPaths(tmp_path)).close()
    write_and_read_in_many_threads(tmp_path)


def write_and_read_in_many_threads(folder: Path) -> None:
    library, other = (open_library(LibraryPaths(folder)) for _ in range(2))
    failures: list[BaseException] = []

    def work(store: int, name: str) -> None:
        try:
            for i in range(30):
                chosen = library if store == 0 else other
                chosen.facts.put(f"{name}{i}", str(i))
                assert chosen.facts.get(f"{name}{i}") == str(i)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i % 2, f"t{i}-")) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert library.facts.get("t5-29") == "29"
    library.close()
    other.close()


def test_processes_that_open_a_new_library_at_once_share_it(tmp_path: Path) -> None:
    """Every one makes or finds it, writes beside the others, and nothing is lost."""
    words = (
        "import sys; from pathlib import Path; from core.paths import LibraryPaths\n"
        "from core.store.library import open_library\n"
        "sys.stdin.readline()\n"
        "library = open_library(LibraryPaths(Path(sys.argv[1])))\n"
        "for i in range(40): library.facts.put(f'{sys.argv[2]}-{i}', str(i))\n"
        "library.close()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", words, str(tmp_path / "library"), str(name)],
            stdin=subprocess.PIPE,
        )
        for name in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    library = open_library(LibraryPaths(tmp_path / "library"))
    assert all(library.facts.get(f"{name}-{i}") == str(i) for name in range(4) for i in range(40))
    assert library.database.check() == []
    library.close()
