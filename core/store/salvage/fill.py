"""Fills the gaps of a rebuilt library from a backup of it.

Only tables of which something was lost are filled, and only with rows that are not there: what
was read from the damaged library is newer. Photos that come from the backup bring all that
belongs to them.
"""

import sqlite3
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path
from shutil import copyfile

from core.store.migrations.ladder import NEWEST, climb_to
from core.store.opening import file_uri

_OF_PHOTOS = {
    "files": "photo_id",
    "tags": "photo_id",
    "concepts": "photo_id",
    "vectors": "photo_id",
    "recorded": "photo_id",
    "profile_text_content": "id",
}
"""Tables whose rows belong to photos, and the column that names these."""

_OTHERS = ("decisions", "queries", "judgements", "roots", "facts")


def fill_gaps(
    connection: sqlite3.Connection, backup: Path, space: Path, broken: AbstractSet[str]
) -> dict[str, int]:
    """Insert what only the backup has; returns rows by table.

    `space` is a new file that may be written meanwhile. Raises OSError, sqlite3.Error.
    """
    try:
        copyfile(backup, space)
        with closing(sqlite3.connect(space, isolation_level=None)) as old:
            climb_to(old, NEWEST)
        connection.execute("ATTACH DATABASE ? AS old", (file_uri(space),))
        try:
            return _filled(connection, broken)
        finally:
            connection.execute("DETACH DATABASE old")
    finally:
        space.unlink(missing_ok=True)


def _filled(connection: sqlite3.Connection, broken: AbstractSet[str]) -> dict[str, int]:
    connection.execute("CREATE TEMP TABLE lacking (id INTEGER PRIMARY KEY)")
    if "photos" in broken:
        connection.execute(
            "INSERT INTO lacking SELECT id FROM old.photos WHERE id NOT IN (SELECT id FROM "
            "main.photos) AND content_hash NOT IN (SELECT content_hash FROM main.photos)"
        )
    filled = {"photos": _insert(connection, "photos", "id IN (SELECT id FROM lacking)")}
    for table, key in _OF_PHOTOS.items():
        which = f"{key} IN (SELECT id FROM lacking)"
        if table in broken:
            which += f' OR {key} NOT IN (SELECT {key} FROM main."{table}")'
        filled[table] = _insert(connection, table, which)
    for table in _OTHERS:
        if table in broken:
            filled[table] = _insert(connection, table, "1")
    connection.execute("DROP TABLE lacking")
    return {table: count for table, count in filled.items() if count}


def _insert(connection: sqlite3.Connection, table: str, which: str) -> int:
    """Copy rows that are not there already."""
    before = connection.total_changes
    connection.execute(
        f'INSERT OR IGNORE INTO main."{table}" SELECT * FROM old."{table}" WHERE {which}'
    )
    return connection.total_changes - before
