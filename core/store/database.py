"""One library's SQLite file: opened, migrated, read by many and written by one."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError

from core.errors import LibraryBusy, LibraryDamaged, LibraryError, LibraryUnwritable
from core.paths import LibraryPaths
from core.store.migrations.ladder import climb

_BUSY_TIMEOUT_S = 30


class Database:
    """An open library file; safe across threads, one writing transaction at a time."""

    def __init__(self, paths: LibraryPaths) -> None:
        """Open or create; raises LibraryNewer, LibraryDamaged, LibraryUnwritable, LibraryBusy."""
        self.paths = paths
        self._writing = threading.RLock()
        self._local = threading.local()
        try:
            paths.root.mkdir(parents=True, exist_ok=True)
            self._climb()
        except OSError as error:
            raise LibraryUnwritable(
                f"The library folder {paths.root} cannot be written: {error.strerror}.",
                "Choose another folder with --library.",
            ) from error
        except sqlite3.DatabaseError as error:
            raise known_error(error) from error
        self._engine = _engine(paths)

    def _climb(self) -> None:
        connection = sqlite3.connect(
            self.paths.database, timeout=_BUSY_TIMEOUT_S, isolation_level=None
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            climb(connection, self.paths.backups)
        finally:
            connection.close()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading; inside `write` it is the writing one."""
        active: Connection | None = getattr(self._local, "connection", None)
        if active is not None:
            yield active
            return
        with self._translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One short transaction; nested calls on the same thread join the outer one."""
        with self._writing:
            active: Connection | None = getattr(self._local, "connection", None)
            if active is not None:
                yield active
                return
            with self._translated(), self._engine.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                self._local.connection = connection
                try:
                    yield connection
                    connection.commit()
                finally:
                    self._local.connection = None

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError as error:
            if isinstance(error.orig, sqlite3.DatabaseError):
                raise known_error(error.orig) from error
            raise

    def check(self) -> list[str]:
        """What SQLite's integrity check finds wrong; empty when all is well."""
        with self.read() as connection:
            rows = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        lines = [str(row) for row in rows if row != "ok"]
        return lines + [f"{row[0]} row {row[1]} refers to nothing" for row in broken]

    def close(self) -> None:
        """Close every connection; the object is not used afterwards."""
        self._engine.dispose()


def _engine(paths: LibraryPaths) -> Engine:
    engine = create_engine(f"sqlite:///{paths.database}", connect_args={"timeout": _BUSY_TIMEOUT_S})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun explicitly
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")

    return engine


def known_error(error: sqlite3.DatabaseError) -> LibraryError | sqlite3.DatabaseError:
    """The error as the user should see it; itself where it is a bug."""
    text = str(error)
    if text.startswith(("no such table", "no such column")):
        return _damaged(text)
    if "locked" in text or "busy" in text:
        return LibraryBusy("Another process is writing to this library.", "Try again later.")
    if "malformed" in text or "not a database" in text:
        return _damaged(text)
    if "readonly" in text or "full" in text or "unable to open" in text or "disk I/O" in text:
        return LibraryUnwritable(
            f"The library cannot be written: {text}.",
            "Make its folder writable, free some space, or choose another with --library.",
        )
    return error


def _damaged(what: str) -> LibraryDamaged:
    return LibraryDamaged(
        f"The library is damaged: {what}.",
        "Put a copy of its library.sqlite in its place; where there is none, move that file "
        "away and index the folders again.",
    )
