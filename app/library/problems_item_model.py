"""The Qt model of the files that are not in the library."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from app.widgets.item_model import AnyIndex, plain_tooltip
from app.words import reason_in_words, short_day
from core.domain.problem import Problem

_NO_INDEX = QModelIndex()


class ProblemsModel(QAbstractTableModel):
    """One row a file: its name, the reason in words, the detail, since when."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these, files that failed before files that were skipped."""
        self.beginResetModel()
        self._problems = tuple(sorted(problems, key=lambda p: (not p.reason.failed, p.path)))
        self.endResetModel()

    def problem(self, row: int) -> Problem:
        """The problem in a row."""
        return self._problems[row]

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many files there are."""
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """File, folder, reason, detail, date."""
        return 0 if parent.isValid() else len(self._titles())

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words of a cell; a tooltip with the whole of it."""
        if not index.isValid() or index.row() >= len(self._problems):
            return None
        problem = self._problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(problem)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            whole = (
                str(problem.path) if index.column() < 2 else self._words(problem)[index.column()]
            )
            return plain_tooltip(whole)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The columns' titles."""
        shown = role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal
        return self._titles()[section] if shown and 0 <= section < len(self._titles()) else None

    def _titles(self) -> tuple[str, ...]:
        tr = self.tr
        return (tr("File"), tr("Folder"), tr("Why it is not here"), tr("Detail"), tr("Since"))

    def _words(self, problem: Problem) -> tuple[str, ...]:
        since = short_day(problem.since.date())
        reason = reason_in_words(problem.reason)
        return (problem.path.name, str(problem.path.parent), reason, problem.detail, since)
