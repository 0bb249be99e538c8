"""What rows of each table look like, so that pages whose table is not known find theirs."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from core.store.migrations.ladder import climb_to
from core.store.salvage.record import Row, Value

WORDS = "profile_text_content"
"""Where full-text search keeps the texts themselves; its index is made again."""

DERIVED = ("sessions", "session_photos", "trips", "trip_sessions", "stale", "visits", "homes")
"""Tables that the next index run makes again: not worth a guess."""

_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "": (int, float, str, bytes),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column as its table declares it; `given` by SQLite where a row is too old to have it."""

    name: str
    kind: str
    required: bool
    given: bool
    is_rowid: bool

    def takes(self, value: Value) -> bool:
        """Whether a stored value may be of this column."""
        if self.is_rowid:
            return value is None
        if value is None:
            return not self.required
        if self.kind == "TEXT" and isinstance(value, bytes):
            return not self.required  # paths, where a text was declared
        return isinstance(value, _TYPES[self.kind])


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: its columns in the order in which rows keep them, and whether it is an index."""

    table: str
    columns: tuple[Column, ...]
    is_index: bool

    def fits(self, row: Row) -> bool:
        """Whether a row may be of this table."""
        here, missing = self.columns[: len(row)], self.columns[len(row) :]
        if len(row) > len(self.columns) or not all(column.given for column in missing):
            return False
        return all(column.takes(value) for column, value in zip(here, row, strict=True))

    def values(self, rowid: int | None, row: Row) -> dict[str, Value]:
        """The row's values by column; the number of a row is not kept among them."""
        here = self.columns[: len(row)]
        return {
            column.name: rowid if column.is_rowid else value
            for column, value in zip(here, row, strict=True)
        }


def shapes_at(version: int) -> dict[str, Shape]:
    """The tables of a library of a version, by name."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        climb_to(connection, version)
        made = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        ).fetchall()
        return {
            name: _shape(connection, name, sql.rstrip().upper().endswith("WITHOUT ROWID"))
            for name, sql in made
            if name == WORDS or not name.startswith(("profile_text", "sqlite_"))
        }


def _shape(connection: sqlite3.Connection, table: str, is_index: bool) -> Shape:
    rows = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    keys = [row for row in sorted(rows, key=lambda row: row[5]) if row[5]]
    single = not is_index and len(keys) == 1 and keys[0][2] == "INTEGER"
    ordered = [*keys, *(row for row in rows if not row[5])] if is_index else rows
    return Shape(table, tuple(_column(row, is_index, single) for row in ordered), is_index)


def _column(row: Sequence[object], is_index: bool, single: bool) -> Column:
    _, name, kind, required, default, key = row
    is_rowid = single and bool(key)
    return Column(
        str(name),
        str(kind),
        bool(required or key),
        default is not None or not required,
        is_rowid,
    )
