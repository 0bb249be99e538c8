"""Many rows as plain tuples: for whole-library reads, where rows of a mapper cost more than SQL.

They come in blocks, so that a million of them never lie in memory as objects at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

_BLOCK = 20_000
PlainRow = tuple[Any, ...]
PlainColumns = Sequence[Sequence[Any]]


def plain_rows(connection: Connection, sql: str, values: Sequence[object] = ()) -> list[PlainRow]:
    """Every row of a query, straight from the driver; for those that are few."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(sql, tuple(values))
        return list(cursor.fetchall())
    finally:
        cursor.close()


def column_blocks(connection: Connection, sql: str) -> Iterator[PlainColumns]:
    """The rows of a query straight from the driver, in blocks of columns."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(sql)
        while rows := cursor.fetchmany(_BLOCK):
            yield list(zip(*rows, strict=True))
    finally:
        cursor.close()
