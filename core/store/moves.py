"""A folder under another path: everything that names files in it follows, in one transaction."""

import os
from pathlib import Path

from core.domain.photo import FileStamp
from core.store.below import Below
from core.store.database import Database

_COLUMNS = (
    ("files", "path"),
    ("companions", "main"),
    ("companions", "path"),
    ("problems", "path"),
    ("roots", "path"),
)


def sample_of(database: Database, folder: Path, most: int) -> list[FileStamp]:
    """Some of the files that are known below a folder, spread over all of it."""
    condition, values = Below(folder).condition("path")
    sql = (
        f"SELECT path, size, modified_ns FROM files WHERE {condition} "
        "ORDER BY (rowid * 7919) % 10007, path LIMIT ?"
    )
    with database.read() as connection:
        rows = connection.exec_driver_sql(sql, (*values, most)).all()
    return [FileStamp(Path(os.fsdecode(row[0])), row[1], row[2]) for row in rows]


def move_folder(database: Database, old: Path, new: Path) -> int:
    """Name all that is known below `old` by the same path below `new`; returns how many files.

    Neither folder may lie in the other.
    """
    below, target = Below(old), Below(new).first
    with database.write() as connection:
        counts = [
            connection.exec_driver_sql(
                f"UPDATE OR REPLACE {table} "
                f"SET {column} = CAST(? || substr({column}, ?) AS BLOB) "
                f"WHERE {column} > ? AND {column} < ?",
                (target, len(below.first) + 1, below.first, below.beyond),
            ).rowcount
            for table, column in _COLUMNS
        ]
        connection.exec_driver_sql(
            "UPDATE OR REPLACE roots SET path = ?, offline = 0 WHERE path = ?",
            (os.fsencode(new), os.fsencode(old)),
        )
    return counts[0]
