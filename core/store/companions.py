"""Files that belong to others: RAW files, live videos, sidecars."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.photo import Companion, CompanionRole, FileStamp
from core.store.below import Below, PathBytes, rows_below
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import CompanionRow

CompanionsRow = tuple[PathBytes, tuple[Companion, ...]]
"""A file's path and its companions by path."""


class CompanionStore:
    """Reads and writes the companions of files; one file may be the companion of several."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, main: Path, companions: Sequence[Companion]) -> None:
        """Keep these companions of a file and no others."""
        with self._database.write() as connection:
            connection.execute(delete(CompanionRow).where(CompanionRow.main == main))
            if companions:
                rows = [_values(main, companion) for companion in companions]
                connection.execute(insert(CompanionRow).on_conflict_do_nothing(), rows)

    def below(self, below: Below) -> Iterator[CompanionsRow]:
        """The files below a folder that have companions, by path, with these."""
        columns = "main, path, role, size, modified_ns"
        rows = rows_below(self._database, "companions", columns, ("main", "path"), below)
        for main, group in groupby(rows, key=itemgetter(0)):
            yield main, tuple(_companion(*row[1:]) for row in group)

    def of(self, mains: Sequence[Path]) -> dict[Path, tuple[Companion, ...]]:
        """The companions of the files among these that have some, by path."""
        with self._database.read() as connection:
            return companions_of(connection, mains)

    def forget(self, mains: Iterable[Path]) -> None:
        """Forget the companions of some files."""
        with self._database.write() as connection:
            for batch in batches(list(mains)):
                connection.execute(delete(CompanionRow).where(CompanionRow.main.in_(batch)))


def companions_of(
    connection: Connection, mains: Sequence[Path]
) -> dict[Path, tuple[Companion, ...]]:
    """The companions of the files among these that have some, by path."""
    found: dict[Path, list[Companion]] = {}
    for batch in batches(mains):
        held = select(CompanionRow.__table__).where(CompanionRow.main.in_(batch))
        for row in connection.execute(held.order_by(CompanionRow.path)):
            stamp = FileStamp(row.path, row.size, row.modified_ns)
            found.setdefault(row.main, []).append(Companion(CompanionRole(row.role), stamp))
    return {main: tuple(companions) for main, companions in found.items()}


def _values(main: Path, companion: Companion) -> dict[str, object]:
    stamp = companion.stamp
    return {
        "path": stamp.path,
        "main": main,
        "role": companion.role.value,
        "size": stamp.size,
        "modified_ns": stamp.modified_ns,
    }


def _companion(path: PathBytes, role: str, size: int, modified_ns: int) -> Companion:
    return Companion(CompanionRole(role), FileStamp(Path(os.fsdecode(path)), size, modified_ns))
