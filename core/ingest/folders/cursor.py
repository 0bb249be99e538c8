"""Merges a sorted stream of rows with keys that come in the same order."""

from collections.abc import Iterator
from typing import Generic, TypeVar

Row = TypeVar("Row", bound=tuple[bytes, *tuple[object, ...]])


class Cursor(Generic[Row]):
    """Rows by their first column, a path's bytes; keys are asked for in rising order."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def passed(self, key: bytes) -> Iterator[Row]:
        """The rows before a key that have not been given yet."""
        while self._next is not None and self._next[0] < key:
            yield self._next
            self._next = next(self._rows, None)

    def take(self, key: bytes) -> Row | None:
        """The row of a key, None where there is none; what lies before it is passed."""
        for _ in self.passed(key):
            continue
        row = self._next
        if row is None or row[0] != key:
            return None
        self._next = next(self._rows, None)
        return row

    def rest(self) -> Iterator[Row]:
        """What is left behind the last key that was taken."""
        while self._next is not None:
            yield self._next
            self._next = next(self._rows, None)
