"""Which stretches of time must be looked at again: noted by the transactions that change them.

Triggers of the library note every change of a photo that sessions depend on, whoever writes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from math import floor

from core.store.database import Database
from core.store.plain_rows import plain_rows

_HOUR_S = 3600.0
_FEW, _SHORT_HOURS = 300, 24 * 40
FOREVER = 1e9 * _HOUR_S
"""Seconds: longer than all that is stored, on both sides of 1970."""


class Changed(StrEnum):
    """What has changed in a stretch of time."""

    PHOTOS = "photos"
    HOME = "home"
    ZONE = "zone"


@dataclass(frozen=True, slots=True)
class StaleMark:
    """A stretch of time, in seconds since 1970 UTC, and whose photos changed in it."""

    what: Changed
    contributor: str
    first: float
    last: float


class StaleStore:
    """Marks are noted, taken by whoever renews, and forgotten once that is done."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def mark(self, what: Changed, first: float, last: float, contributor: str = "") -> None:
        """Note a stretch; joins the open transaction."""
        hours = floor(first / _HOUR_S), floor(last / _HOUR_S)
        with self._database.write() as connection:
            connection.exec_driver_sql(
                "INSERT OR IGNORE INTO stale VALUES (0, ?, ?, ?, ?)",
                (what.value, contributor, *hours),
            )

    def is_empty(self) -> bool:
        """Whether nothing waits, neither new nor left over by a run that was cut short."""
        with self._database.read() as connection:
            return not plain_rows(connection, "SELECT 1 FROM stale LIMIT 1")

    def is_short(self) -> bool:
        """Whether all that waits is renewed soon: some hundred short stretches at most."""
        sql = "SELECT last_hour - first_hour FROM stale LIMIT ?"
        with self._database.read() as connection:
            rows = plain_rows(connection, sql, (_FEW + 1,))
        return len(rows) <= _FEW and all(hours <= _SHORT_HOURS for (hours,) in rows)

    def take(self) -> None:
        """Take everything that waits; what is noted later stays for the next time."""
        self._set_taken(0, 1)

    def taken(self) -> Iterator[StaleMark]:
        """What was taken; hours stand for all their seconds, and one hour more on both sides."""
        sql = "SELECT what, contributor, first_hour, last_hour FROM stale WHERE taken = 1"
        with self._database.read() as connection:
            rows = plain_rows(connection, sql)
        for what, contributor, first, last in rows:
            yield StaleMark(Changed(what), contributor, (first - 1) * _HOUR_S, (last + 2) * _HOUR_S)

    def forget_taken(self) -> None:
        """Say that all that was taken is renewed."""
        with self._database.write() as connection:
            connection.exec_driver_sql("DELETE FROM stale WHERE taken = 1")

    @contextmanager
    def taking(self) -> Iterator[None]:
        """One transaction whose own marks count as taken, and no others."""
        with self._database.write():
            self._set_taken(0, 2)
            yield
            self._set_taken(0, 1)
            self._set_taken(2, 0)

    def _set_taken(self, before: int, after: int) -> None:
        with self._database.write() as connection:
            connection.exec_driver_sql(
                "UPDATE OR REPLACE stale SET taken = ? WHERE taken = ?", (after, before)
            )
