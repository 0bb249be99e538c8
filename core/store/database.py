"""One library's SQLite file: opened, migrated, read by many and written by one."""

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import QueuePool

from core.errors import LibraryUnwritable
from core.paths import LibraryPaths
from core.store.failures import known_error, primary_code, unwritable
from core.store.migrations.ladder import climb, refuse_other_versions, version_of
from core.store.opening import Access, connect, open_for_reading, open_for_writing

_log = logging.getLogger(__name__)
_CHECKPOINT_PATIENCE_S = 1.0
_ONLY_READ = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


class Database:
    """An open library file; safe across threads, one writing transaction at a time.

    `access` says how it is open: a library that may not be written can still be read.
    """

    def __init__(self, paths: LibraryPaths) -> None:
        """Open or create; raises LibraryNewer, LibraryDamaged, LibraryUnwritable, LibraryBusy."""
        self.paths = paths
        self._writing = threading.RLock()
        self._local = threading.local()
        try:
            self.access = _opened(paths)
        except OSError as error:
            raise unwritable(paths.root, error) from error
        except sqlite3.Error as error:
            raise known_error(error) from error
        self._engine = _engine(self.access)

    @property
    def writable(self) -> bool:
        """Whether anything can be kept."""
        return self.access.writable

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one moment of the library; inside `write` the writing one."""
        active: Connection | None = getattr(self._local, "connection", None)
        if active is not None:
            yield active
            return
        with self._translated(), self._engine.connect() as connection:
            if self.access.journal == "wal":  # elsewhere a reader would hold up the writer
                connection.exec_driver_sql("BEGIN")
            yield connection

    @property
    def writes_here(self) -> bool:
        """Whether this thread is inside a writing transaction."""
        return getattr(self._local, "connection", None) is not None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One short transaction; nested calls on the same thread join the outer one.

        An error undoes all of it, also one inside a nested call that the outer caught.
        Raises LibraryUnwritable, LibraryBusy.
        """
        if not self.writable:
            raise LibraryUnwritable(
                "This library may only be read.",
                "Make its folder writable, or copy it to one that is.",
            )
        with self._writing:
            active: Connection | None = getattr(self._local, "connection", None)
            if active is not None:
                yield from self._joined(active)
                return
            with self._translated(), self._engine.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                self._local.connection, self._local.failed = connection, False
                try:
                    yield connection
                    if self._local.failed:
                        raise RuntimeError("a part of this transaction has failed")
                    connection.commit()
                finally:
                    self._local.connection = None
                    connection.rollback()  # nothing after a commit

    def _joined(self, active: Connection) -> Iterator[Connection]:
        done = False
        try:
            yield active
            done = True
        finally:
            self._local.failed |= not done

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError as error:
            if isinstance(error.orig, sqlite3.Error):
                raise known_error(error.orig) from error
            raise

    def check(self, *, quick: bool = False) -> list[str]:
        """What SQLite finds wrong, empty when all is well; `quick` leaves indexes out."""
        kind = "quick_check" if quick else "integrity_check"
        with self.read() as connection:
            rows = connection.exec_driver_sql(f"PRAGMA {kind}").scalars().all()
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        lines = [str(row) for row in rows if row != "ok"]
        return lines + [f"{row[0]} row {row[1]} refers to nothing" for row in broken]

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file and empty it, unless somebody reads just now."""
        if not self.writable or self.access.journal != "wal":
            return
        with (
            self._writing,
            contextlib.suppress(sqlite3.OperationalError),
            closing(connect(self.access, _CHECKPOINT_PATIENCE_S)) as connection,
        ):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def connection(self) -> sqlite3.Connection:
        """A connection of one's own, outside the transactions here; raises LibraryError."""
        try:
            return connect(self.access)
        except sqlite3.Error as error:
            raise known_error(error) from error

    def close(self) -> None:
        """Close every connection; the object is not used afterwards."""
        self._engine.dispose()


def _opened(paths: LibraryPaths) -> Access:
    try:
        paths.root.mkdir(parents=True, exist_ok=True)
        access = open_for_writing(paths.database)
        with closing(connect(access)) as connection:
            climb(connection, paths.backups)
            version = version_of(connection)
    except (OSError, sqlite3.OperationalError) as error:
        if not _may_only_be_read(error) or not paths.database.is_file():
            raise
        access = open_for_reading(paths.database)
        with closing(connect(access)) as connection:
            version = refuse_other_versions(connection)
    _log.info(
        "library of version %d opened: %s, journal %s, SQLite %s",
        version,
        "writable" if access.writable else "only to be read",
        access.journal,
        sqlite3.sqlite_version,
    )
    return access


def _may_only_be_read(error: Exception) -> bool:
    return isinstance(error, PermissionError) or primary_code(error) in _ONLY_READ


def _engine(access: Access) -> Engine:
    return create_engine(
        "sqlite://", creator=lambda: connect(access), poolclass=QueuePool, max_overflow=-1
    )
