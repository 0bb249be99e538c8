"""Files that belong to others: RAW files, live videos, sidecars."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.photo import Companion, CompanionRole, FileStamp
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import CompanionRow


class CompanionStore:
    """Reads and writes the companions of files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, main: Path, companions: Sequence[Companion]) -> None:
        """Keep these companions of a file and no others."""
        with self._database.write() as connection:
            connection.execute(delete(CompanionRow).where(CompanionRow.main == main))
            rows = [_values(main, companion) for companion in companions]
            if not rows:
                return
            statement = insert(CompanionRow)
            new = {name: statement.excluded[name] for name in rows[0] if name != "path"}
            connection.execute(
                statement.on_conflict_do_update(index_elements=["path"], set_=new), rows
            )

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
