"""Files that are not in the library, and why."""

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select

from core.domain.photo import FileStamp
from core.domain.problem import Problem, ProblemReason
from core.store.below import Below, StampRow, rows_below
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import ProblemRow
from core.store.upsert import upsert_of


class ProblemStore:
    """Reads and writes problems; one a file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._save = upsert_of(ProblemRow, "path")

    def save(self, problem: Problem, stamp: FileStamp) -> None:
        """Keep a problem; the stamp tells later whether the file has changed since."""
        values = {
            "path": problem.path,
            "reason": problem.reason.value,
            "detail": problem.detail,
            "since": problem.since.isoformat(),
            "size": stamp.size,
            "modified_ns": stamp.modified_ns,
        }
        with self._database.write() as connection:
            connection.execute(self._save, values)

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

    def below(self, below: Below) -> Iterator[StampRow]:
        """The stamps of the problems below a folder, by path."""
        for row in rows_below(
            self._database, "problems", "path, size, modified_ns", ("path",), below
        ):
            yield row[0], row[1], row[2]

    def under(self, below: Below) -> Iterator[Problem]:
        """The problems of the files below a folder, by path."""
        columns = "path, reason, detail, since"
        for row in rows_below(self._database, "problems", columns, ("path",), below):
            yield _problem(Path(os.fsdecode(row[0])), *row[1:])

    def all(self) -> list[Problem]:
        """Every problem, by path."""
        statement = select(ProblemRow.__table__).order_by(ProblemRow.path)
        with self._database.read() as connection:
            return [
                _problem(row.path, row.reason, row.detail, row.since)
                for row in connection.execute(statement)
            ]

    def count(self) -> int:
        """How many files have a problem."""
        with self._database.read() as connection:
            return int(
                connection.execute(select(func.count()).select_from(ProblemRow)).scalar_one()
            )


def _problem(path: Path, reason: str, detail: str, since: str) -> Problem:
    return Problem(path, ProblemReason(reason), detail, datetime.fromisoformat(since))
