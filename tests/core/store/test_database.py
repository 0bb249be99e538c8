"""The library file: opened, migrated, shared and refused."""

import sqlite3
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import LibraryDamaged, LibraryNewer, LibraryUnwritable
from core.paths import LibraryPaths
from core.store.database import Database
from core.store.library import open_library
from core.store.migrations import ladder
from core.store.migrations.ladder import NEWEST, back_up, climb, version_of
from core.store.tables import TableBase


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


def test_a_backup_holds_everything(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    library.facts.put("answer", "42")
    library.close()
    connection = sqlite3.connect(tmp_path / "library.sqlite")
    back_up(connection, tmp_path / "backups" / "copy.sqlite")
    connection.close()
    copy = sqlite3.connect(tmp_path / "backups" / "copy.sqlite")
    assert copy.execute("SELECT value FROM facts").fetchall() == [("42",)]
    copy.close()


def test_a_failed_write_is_undone_whole(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    with pytest.raises(ZeroDivisionError), library.database.write():
        library.facts.put("half", "done")
        raise ZeroDivisionError
    assert library.facts.get("half") == ""
    library.facts.put("whole", "done")
    assert library.facts.get("whole") == "done"
    library.close()


def test_many_threads_write_and_read_without_being_refused(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    other = open_library(LibraryPaths(tmp_path))
    failures: list[BaseException] = []

    def work(store: object, name: str) -> None:
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
