"""Rows below a folder, in the order of the bytes of their paths, by keyset pages."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.store.database import Database

_PAGE = 2000
_SEPARATOR = os.fsencode(os.sep)
PathBytes = bytes
"""A path as the file system's own bytes: what the tables hold and are ordered by."""

StampRow = tuple[PathBytes, int, int]
"""A file's path, its size in bytes, its modification time in ns."""

PlainRow = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Below:
    """All paths below a folder or, where not `deep`, those directly in it."""

    folder: Path
    deep: bool = True

    @property
    def first(self) -> PathBytes:
        """Less than every path below the folder."""
        return os.fsencode(self.folder).rstrip(_SEPARATOR) + _SEPARATOR

    @property
    def beyond(self) -> PathBytes:
        """Greater than every path below the folder."""
        return self.first[:-1] + bytes([self.first[-1] + 1])

    def condition(self, column: str) -> tuple[str, list[object]]:
        """The SQL that holds for the paths in a column, and its values."""
        said = f"{column} > ? AND {column} < ?"
        values: list[object] = [self.first, self.beyond]
        if self.deep:
            return said, values
        return f"{said} AND instr(substr({column}, ?), ?) = 0", [
            *values,
            len(self.first) + 1,
            _SEPARATOR,
        ]


def rows_below(
    database: Database, table: str, columns: str, keys: tuple[str, ...], below: Below
) -> Iterator[PlainRow]:
    """The rows whose first key, a path, is below; `columns` begin with the keys.

    They come ordered by the keys, a page a transaction: what is written meanwhile may be seen.
    """
    condition, values = below.condition(keys[0])
    names, marks = ", ".join(keys), ", ".join("?" * len(keys))
    sql = (
        f"SELECT {columns} FROM {table} WHERE {condition} AND ({names}) > ({marks}) "
        f"ORDER BY {names} LIMIT {_PAGE}"
    )
    last: tuple[object, ...] = (below.first,) + (b"",) * (len(keys) - 1)
    while True:
        with database.read() as connection:
            page = connection.exec_driver_sql(sql, (*values, *last)).all()
        yield from map(tuple, page)
        if len(page) < _PAGE:
            return
        last = tuple(page[-1][: len(keys)])
