"""Copies a library while it is in use: whole, or without what can be computed again.

A copy is written under another name, checked, flushed and only then renamed: a backup that has
its name is whole. All of it is read in one moment of the library, so that writers go on beside
it and what they write afterwards is not in it.
"""

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil

from core.errors import LibraryUnwritable
from core.progress import Progress
from core.store.failures import damaged, known_error, unwritable
from core.store.opening import file_uri

PARTIAL = ".partial"
_PAGES_A_STEP = 2_000
_INSTRUCTIONS_A_CHECK = 200_000
_LONGEST_S = 86_400.0
_MADE = re.compile(r"CREATE ((?:UNIQUE |VIRTUAL )?[A-Z]+) ")
_LEFT_OUT = ("vectors",)
"""The one table that models can fill again from the files; half of a library's bytes."""


def back_up(
    connection: sqlite3.Connection, target: Path, progress: Progress, version: int | None = None
) -> None:
    """Copy the whole library, page by page, replacing `target` at the end.

    `connection` is in autocommit mode. Where a version is named, a library that another process
    has meanwhile brought to a newer one is not copied. Raises Cancelled, LibraryDamaged where the
    copy does not pass its check, LibraryUnwritable where there is no room.
    """

    def stepped(_status: int, remaining: int, total: int) -> None:
        progress.report("back up", total - remaining, total)

    demand_room(target.parent, _bytes_of(connection))
    with _one_moment(connection):
        if version not in (None, connection.execute("PRAGMA user_version").fetchone()[0]):
            return
        with _finished(target) as partial, closing(sqlite3.connect(partial)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # flushed as a whole at the end
            connection.backup(copy, pages=_PAGES_A_STEP, progress=stepped)
            copy.execute("PRAGMA journal_mode = DELETE")


def back_up_without_vectors(
    connection: sqlite3.Connection, target: Path, progress: Progress
) -> None:
    """Copy all tables but the vectors, replacing `target` at the end; raises as `back_up`."""
    demand_room(target.parent, _bytes_of(connection) // 2)
    with _finished(target) as partial:
        _copy_tables(connection, partial, progress)


def _copy_tables(connection: sqlite3.Connection, partial: Path, progress: Progress) -> None:
    connection.execute("ATTACH DATABASE ? AS copy", (file_uri(partial),))
    for setting in ("copy.journal_mode = OFF", "copy.synchronous = OFF", "foreign_keys = OFF"):
        connection.execute(f"PRAGMA {setting}")
    connection.set_progress_handler(lambda: progress.cancelled, _INSTRUCTIONS_A_CHECK)
    try:
        with _one_moment(connection):
            _make(connection, "table")
            tables = _tables(connection)
            for table in progress.track("back up", tables, total=len(tables)):
                connection.execute(f'DELETE FROM copy."{table}"')
                connection.execute(f'INSERT INTO copy."{table}" SELECT * FROM main."{table}"')
            _make(connection, "index")
            _make(connection, "trigger")  # only now: none of these rows is news
            version = connection.execute("PRAGMA main.user_version").fetchone()[0]
            connection.execute(f"PRAGMA copy.user_version = {version:d}")
            connection.execute("COMMIT")
    except sqlite3.OperationalError:
        progress.check()
        raise
    finally:
        connection.set_progress_handler(None, 0)
        connection.execute("DETACH DATABASE copy")
        connection.execute("PRAGMA foreign_keys = ON")


def _make(connection: sqlite3.Connection, kind: str) -> None:
    """The same in the copy; full-text search has brought its own tables by then."""
    made = connection.execute(
        "SELECT name, sql FROM main.sqlite_master "
        "WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', rowid",
        (kind,),
    ).fetchall()
    for name, statement in made:
        exists = connection.execute("SELECT 1 FROM copy.sqlite_master WHERE name = ?", (name,))
        if exists.fetchone() is None:
            connection.execute(_MADE.sub(r"CREATE \1 copy.", statement, count=1))


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Tables with rows of their own to copy, those of full-text search among them; SQLite's
    count of given numbers last."""
    rows = connection.execute(
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 "
        "AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence') "
        "ORDER BY name = 'sqlite_sequence', rowid"
    )
    return [str(row[0]) for row in rows if row[0] not in _LEFT_OUT]


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Read everything as it is now: a change meanwhile would make the copy begin again."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT 1 FROM main.sqlite_master LIMIT 1").fetchone()
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def _finished(target: Path) -> Iterator[Path]:
    """A file to write; it gets the target's name when it is whole, and is gone otherwise."""
    partial = target.with_name(f"{target.name}.{os.getpid()}{PARTIAL}")
    try:
        sweep(target.parent)
        yield partial
        wrong = faults(partial)
        if wrong:
            raise damaged(wrong)
        flush(partial)
        partial.replace(target)
        flush(target.parent)
    except OSError as error:
        raise LibraryUnwritable(
            f"The backup cannot be written: {error.strerror}.", "Free some space."
        ) from error
    except sqlite3.Error as error:
        raise known_error(error) from error
    finally:
        _remove(partial)


def sweep(folder: Path) -> None:
    """Remove what backups that were killed have left in a folder."""
    for partial in folder.glob(f"*.*{PARTIAL}"):
        number = partial.name.removesuffix(PARTIAL).rpartition(".")[2]
        alive = number.isdigit() and int(number) != os.getpid() and psutil.pid_exists(int(number))
        if not alive or time.time() - partial.stat().st_mtime > _LONGEST_S:
            _remove(partial)


def _remove(partial: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        with suppress(OSError):
            partial.with_name(f"{partial.name}{suffix}").unlink(missing_ok=True)


def faults(path: Path) -> str:
    """The first thing that SQLite finds wrong with a file; empty where it is whole."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            found = str(connection.execute("PRAGMA quick_check").fetchone()[0])
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else found


def flush(path: Path) -> None:
    """Have the disk keep a file, or a folder's names where the system offers that."""
    if path.is_dir():
        with suppress(OSError):
            _sync(path, os.O_RDONLY)
    else:
        _sync(path, os.O_RDWR)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def demand_room(folder: Path, wanted: int) -> None:
    """Raise LibraryUnwritable where a disk has not that many bytes left."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise LibraryUnwritable(
            f"A copy of the library takes {wanted / 1e6:,.0f} MB; {free / 1e6:,.0f} MB are free.",
            "Free some space.",
        )


def _bytes_of(connection: sqlite3.Connection) -> int:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0]
                   for name in ("page_count", "page_size"))  # fmt: skip
    return int(pages) * int(size)
