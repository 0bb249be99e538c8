"""Climbs a library from its version to ours, one transaction a rung, with a backup first."""

import sqlite3
from pathlib import Path

from core.errors import LibraryDamaged, LibraryNewer
from core.store.migrations import r001_first, r002_tags_and_decisions

_RUNGS = (r001_first, r002_tags_and_decisions)
NEWEST = _RUNGS[-1].VERSION


def version_of(connection: sqlite3.Connection) -> int:
    """The version that the library is at; 0 for an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file is new: nothing is in it, or another process fills it just now."""
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None:
        return True
    return version_of(connection) != 0


def climb(connection: sqlite3.Connection, backups: Path) -> None:
    """Bring the library to the newest version; raises LibraryNewer for one from the
    future, LibraryDamaged for a file of another program.

    `connection` must be in autocommit mode. A library that holds something is copied to
    `backups` before its first rung.
    """
    version = version_of(connection)
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
    if 0 < version < NEWEST:
        back_up(connection, backups / f"before-version-{NEWEST}.sqlite")
    for rung in _RUNGS:
        if version < rung.VERSION:
            _climb_one(connection, rung.VERSION, rung.STATEMENTS)


def _climb_one(connection: sqlite3.Connection, version: int, statements: tuple[str, ...]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) < version:  # another process may have climbed meanwhile
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version:d}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def back_up(connection: sqlite3.Connection, target: Path) -> None:
    """Copy the whole library, consistent even while others read, replacing `target` at the end."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    copy = sqlite3.connect(partial)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    partial.replace(target)
