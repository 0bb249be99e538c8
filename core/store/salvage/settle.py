"""Makes a rebuilt library consistent: rows that refer to nothing go, what is derived is renewed."""

import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from core.store.salvage.shape import DERIVED

_SESSIONS = ("trip_sessions", "trips", "session_photos", "sessions", "visits", "homes")
_FOREVER_H = 1_000_000_000


def settle(connection: sqlite3.Connection, broken: AbstractSet[str]) -> None:
    """Leave a library whose every row refers to something; raises sqlite3.Error."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    if broken & {*DERIVED, "photos"}:
        for table in _SESSIONS:
            connection.execute(f'DELETE FROM "{table}"')
    _reserve_numbers(connection)
    while remove_dangling(connection, tables):
        continue
    connection.execute("DELETE FROM profile_text_content WHERE id NOT IN (SELECT id FROM photos)")
    connection.execute("INSERT INTO profile_text (profile_text) VALUES ('rebuild')")
    connection.execute(
        "INSERT OR IGNORE INTO stale VALUES (0, 'photos', '', ?, ?)", (-_FOREVER_H, _FOREVER_H)
    )


def _reserve_numbers(connection: sqlite3.Connection) -> None:
    """Let no new photo get the number of a lost one, which decisions may name."""
    named = ("files", "tags", "concepts", "vectors", "judgements", "recorded", "session_photos")
    highest = " UNION ALL ".join(f'SELECT max(photo_id) AS id FROM "{table}"' for table in named)
    top, last = connection.execute(
        f"SELECT max(id), (SELECT max(id) FROM photos) FROM ({highest})"
    ).fetchone()
    if top is None or top <= (last or 0):
        return
    columns = connection.execute("PRAGMA table_info(photos)").fetchall()
    needed = [row for row in columns if row[3] and row[4] is None]
    values = {row[1]: "" if row[2] == "TEXT" else 0 for row in needed}
    values |= {"id": top, "content_hash": f"lost {top}"}
    connection.execute(
        f"INSERT INTO photos ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )


def remove_dangling(connection: sqlite3.Connection, tables: AbstractSet[str]) -> int:
    """Remove rows that refer to nothing, once; returns how many. Raises sqlite3.Error."""
    removed = 0
    for table in sorted(tables):
        for key in connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
            parent, column, there = key[2], key[3], key[4]
            removed += connection.execute(
                f'DELETE FROM "{table}" WHERE "{column}" IS NOT NULL AND "{column}" NOT IN '
                f'(SELECT "{there}" FROM "{parent}")'
            ).rowcount
    return removed


@contextmanager
def without_triggers(connection: sqlite3.Connection) -> Iterator[None]:
    """What is written inside is no news."""
    made = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for name, _ in made:
        connection.execute(f'DROP TRIGGER "{name}"')
    yield
    for _, statement in made:
        connection.execute(statement)
