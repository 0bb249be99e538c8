"""Climbs a library from its version to ours, one transaction a rung, with a backup first."""

import sqlite3
from pathlib import Path

from core.errors import LibraryDamaged, LibraryNewer, LibraryUnwritable
from core.progress import Progress
from core.store.backup import back_up
from core.store.migrations import r001_first, r002_tags_and_decisions

_RUNGS = (r001_first, r002_tags_and_decisions)
NEWEST = _RUNGS[-1].VERSION


def version_of(connection: sqlite3.Connection) -> int:
    """The version that the library is at; 0 for an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def climb(connection: sqlite3.Connection, backups: Path) -> None:
    """Bring the library to the newest version; raises LibraryNewer for one from the
    future, LibraryDamaged for a file of another program, LibraryUnwritable.

    `connection` must be in autocommit mode. A library that holds something is copied to
    `backups`, and the copy checked, before its first rung.
    """
    version = version_of(connection)
    _refuse_strange(connection, version)
    if 0 < version < NEWEST:
        back_up(connection, before_climbing(backups, version), Progress(), version)
    climb_to(connection, NEWEST)


def before_climbing(backups: Path, version: int) -> Path:
    """The copy that is made of a library of an old version."""
    return backups / f"version-{version}.sqlite"


def climb_to(connection: sqlite3.Connection, goal: int) -> None:
    """Climb every rung up to a version, without a backup."""
    version = version_of(connection)
    connection.execute("PRAGMA foreign_keys = OFF")  # a rung may make a table anew
    for rung in _RUNGS:
        if version < rung.VERSION <= goal:
            _climb_one(connection, rung.VERSION, rung.STATEMENTS)
    connection.execute("PRAGMA foreign_keys = ON")


def refuse_other_versions(connection: sqlite3.Connection) -> int:
    """The version of a library that may only be read; raises LibraryError unless it is ours."""
    version = version_of(connection)
    _refuse_strange(connection, version)
    if version < NEWEST:
        raise LibraryUnwritable(
            f"This library has version {version} and may only be read; it must be brought to "
            f"version {NEWEST} first.",
            "Make its folder writable, or copy it to one that is.",
        )
    return version


def _refuse_strange(connection: sqlite3.Connection, version: int) -> None:
    if version > NEWEST:
        raise LibraryNewer(
            f"This library has version {version}; this program knows {NEWEST}.",
            "Install the newest photoapp, or choose another library with --library.",
        )
    if version == 0 and not _is_empty(connection):
        raise LibraryDamaged(
            "The file library.sqlite there was not made by photoapp.",
            "Choose another folder with --library, or move that file away.",
        )


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file is new: nothing is in it, or another process fills it just now."""
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None:
        return True
    return version_of(connection) != 0


def _climb_one(connection: sqlite3.Connection, version: int, statements: tuple[str, ...]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) < version:  # another process may have climbed meanwhile
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version:d}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself ends one when the disk is full
            connection.execute("ROLLBACK")
        raise
