"""Files that are not in the library, and why."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.photo import FileStamp
from core.domain.problem import Problem, ProblemReason
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import ProblemRow


class ProblemStore:
    """Reads and writes problems; one a file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, problem: Problem, stamp: FileStamp) -> None:
        """Keep a problem; the stamp tells later whether the file has changed since."""
        values = {
            "reason": problem.reason.value,
            "detail": problem.detail,
            "since": problem.since.isoformat(),
            "size": stamp.size,
            "modified_ns": stamp.modified_ns,
        }
        statement = insert(ProblemRow).values(path=problem.path, **values)
        with self._database.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["path"], set_=values)
            )

    def clear(self, paths: Iterable[Path]) -> None:
        """Forget the problems of some files."""
        with self._database.write() as connection:
            for batch in batches(list(paths)):
                connection.execute(delete(ProblemRow).where(ProblemRow.path.in_(batch)))

    def stamps(self, paths: Sequence[Path]) -> dict[Path, FileStamp]:
        """The stamps at which some files had their problems."""
        found: dict[Path, FileStamp] = {}
        with self._database.read() as connection:
            for batch in batches(paths):
                statement = select(ProblemRow.__table__).where(ProblemRow.path.in_(batch))
                for row in connection.execute(statement):
                    found[row.path] = FileStamp(row.path, row.size, row.modified_ns)
        return found

    def all(self) -> list[Problem]:
        """Every problem, by path."""
        statement = select(ProblemRow.__table__).order_by(ProblemRow.path)
        with self._database.read() as connection:
            return [
                Problem(
                    row.path,
                    ProblemReason(row.reason),
                    row.detail,
                    datetime.fromisoformat(row.since),
                )
                for row in connection.execute(statement)
            ]

    def count(self) -> int:
        """How many files have a problem."""
        with self._database.read() as connection:
            return int(
                connection.execute(select(func.count()).select_from(ProblemRow)).scalar_one()
            )
