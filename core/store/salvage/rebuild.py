"""A new library file from what is left of a damaged one and, where that has gaps, a backup."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from core.progress import Progress
from core.store.migrations.ladder import NEWEST, climb_to
from core.store.opening import file_uri
from core.store.salvage.collect import Collector, Values
from core.store.salvage.fill import fill_gaps
from core.store.salvage.pages import PageFile
from core.store.salvage.settle import settle, without_triggers

_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Rescue:
    """What a new file holds: rows of each table from the damaged one and from a backup; how many
    pages and rows could not be read, and of which tables."""

    kept: dict[str, int]
    filled: dict[str, int]
    lost: int
    broken: frozenset[str]

    @property
    def is_worth_keeping(self) -> bool:
        """Whether anything of what cannot be made again was found."""
        return bool(self.kept.get("photos") or self.kept.get("decisions"))


def rebuild(damaged: Path, target: Path, backup: Path | None, progress: Progress) -> Rescue:
    """Write a whole library to `target` (a new file); `damaged` is only read.

    Raises Cancelled, OSError, sqlite3.Error where `target` cannot be written.
    """
    collector = Collector(PageFile.read(damaged), progress)
    filled: dict[str, int] = {}
    with closing(sqlite3.connect(file_uri(target), uri=True, isolation_level=None)) as connection:
        for setting in ("journal_mode = OFF", "synchronous = OFF"):
            connection.execute(f"PRAGMA {setting}")
        climb_to(connection, collector.version)
        connection.execute("PRAGMA foreign_keys = OFF")
        with without_triggers(connection):
            connection.execute("BEGIN")
            kept = _keep(connection, collector.rows())
            connection.execute("COMMIT")
        climb_to(connection, NEWEST)
        connection.execute("PRAGMA foreign_keys = OFF")
        with without_triggers(connection):
            if backup is not None and collector.broken:
                space = target.with_name(f"{target.name}-old")
                filled = fill_gaps(connection, backup, space, collector.broken)
            settle(connection, collector.broken)
    return Rescue(kept, filled, collector.lost, frozenset(collector.broken))


def _keep(connection: sqlite3.Connection, rows: Iterator[tuple[str, Values]]) -> dict[str, int]:
    """Insert rows; one that is there already, or that a table refuses, is left out."""
    kept = Counter[str]()
    while batch := list(islice(rows, _BATCH)):
        for table, same in groupby(batch, key=lambda pair: pair[0]):
            kept[table] += _insert(connection, table, (values for _, values in same))
    return dict(kept)


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Values]) -> int:
    before = connection.total_changes
    for names, same in groupby(rows, key=tuple):
        columns = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        connection.executemany(
            f'INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({marks})',
            (tuple(values.values()) for values in same),
        )
    return connection.total_changes - before
