"""The problems screen: every file that is not in the library, why, and another try."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.library.problems_item_model import ProblemsModel
from app.theme import Theme
from app.widgets.empty_state import EmptyState
from app.widgets.labels import button, dress, plain_label
from app.words import count_in_words
from core.domain.problem import Problem

_FOLDER, _SINCE, _SINCE_WIDTH = 1, 4, 118
_NARROW = 960
"""In less room the folder is left to the file's tooltip, so that the reasons can be read."""


class ProblemsScreen(QWidget):
    """A table; skipped files (videos, documents) are hidden until asked for."""

    retry_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._problems: tuple[Problem, ...] = ()
        self.model = ProblemsModel(self)
        self.table = self._table()
        self._skipped = QCheckBox(self.tr("Show skipped files too"))
        self._skipped.toggled.connect(self._refresh)
        self._summary = plain_label(role="muted")
        self._none = EmptyState(theme, "kept")
        self._none.say(
            self.tr("Every photo could be read"),
            self.tr("Files that cannot be read or are no photos are listed here with the reason."),
        )
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self._none)
        self._stack.addWidget(self.table)
        self.setFocusProxy(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 14, 22, 14)
        column.setSpacing(10)
        column.addLayout(self._header(theme))
        column.addWidget(body, 1)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these from now on."""
        self._problems = tuple(problems)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the folders where there is room for them."""
        super().resizeEvent(event)
        self.table.setColumnHidden(_FOLDER, self.width() < _NARROW)

    def _refresh(self) -> None:
        failed = [p for p in self._problems if p.reason.failed]
        skipped = len(self._problems) - len(failed)
        shown = self._problems if self._skipped.isChecked() else failed
        self.model.show_problems(shown)
        self._summary.setText(
            self.tr("{0} could not be read, {1} skipped").format(
                count_in_words(len(failed)), count_in_words(skipped)
            )
        )
        self._summary.setVisible(bool(self._problems))
        self._skipped.setVisible(skipped > 0)
        self._stack.setCurrentWidget(self.table if shown else self._none)

    def _header(self, theme: Theme) -> QHBoxLayout:
        retry = button(self.tr("Try again"))
        dress(retry, theme, "refresh")
        retry.setToolTip(self.tr("Read these files again"))
        retry.clicked.connect(self.retry_wanted)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(plain_label(self.tr("Problems"), "title"))
        line.addWidget(self._summary)
        line.addStretch(1)
        line.addWidget(self._skipped)
        line.addWidget(retry)
        return line

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Files that are not in the library"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(38)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_SINCE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(_SINCE, _SINCE_WIDTH)
        return table
