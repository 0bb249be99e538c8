"""Facts about the library itself, and its root folders."""

from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from core.store.database import Database
from core.store.tables import FactRow, RootRow


class FactStore:
    """Reads and writes named facts and roots."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, name: str, value: str) -> None:
        """Keep a fact under its name."""
        statement = insert(FactRow).values(name=name, value=value)
        with self._database.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_={"value": value})
            )

    def get(self, name: str, default: str = "") -> str:
        """A fact by its name."""
        statement = select(FactRow.value).where(FactRow.name == name)
        with self._database.read() as connection:
            value = connection.execute(statement).scalar_one_or_none()
        return default if value is None else value

    def put_root(self, path: Path, *, offline: bool) -> None:
        """Keep a root folder and whether it is offline (gone or empty; its photos stay)."""
        statement = insert(RootRow).values(path=path, offline=offline)
        with self._database.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["path"], set_={"offline": offline})
            )

    def forget_root(self, path: Path) -> None:
        """Forget a root folder; its files are others' business."""
        with self._database.write() as connection:
            connection.execute(delete(RootRow).where(RootRow.path == path))

    def roots(self) -> dict[Path, bool]:
        """Every root folder, and whether it is offline."""
        with self._database.read() as connection:
            rows = connection.execute(select(RootRow.__table__).order_by(RootRow.path))
            return {row.path: bool(row.offline) for row in rows}
