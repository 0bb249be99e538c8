"""The search screen: what was understood, the results, and why they are there."""

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from app.search.chips import understood_chips
from app.search.item_model import ResultModel
from app.search.near_miss import EDGE, NearMissPanel
from app.search.result_delegate import LINE, ResultDelegate
from app.search.why import WhyPanel
from app.theme import Theme
from app.thumbnails import Thumbnails
from app.widgets.chip import ChipFlow
from app.widgets.empty_state import EmptyState
from app.widgets.grid_geometry import GridStyle
from app.widgets.labels import dress, plain_label
from app.widgets.section_grid import SectionGrid
from app.words import photos_in_words
from core.domain.answer import RankedPhoto, SearchAnswer

_MOST_LINES = 4
_CHIP_HEIGHT = 28


class SearchScreen(QWidget):
    """Shows an answer, and refines it in place when a better one comes."""

    opened = Signal(int)
    suggested = Signal(str)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, thumbnails: Thumbnails, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._thumbnails, self._theme = thumbnails, theme
        self.answer: SearchAnswer | None = None
        self.model = ResultModel(thumbnails, self)
        self.grid = SectionGrid(theme, GridStyle(cell=196), self)
        self.grid.setModel(self.model)
        self.grid.setItemDelegate(ResultDelegate(theme, self.grid))
        self.grid.setAccessibleName(self.tr("Results"))
        self.setFocusProxy(self.grid)
        self.miss = NearMissPanel(theme, self)
        self.empty = EmptyState(theme, "search", self)
        self.why = WhyPanel(theme, self)
        self.why.hide()
        self.understood = ChipFlow(theme)
        self._status = plain_label(role="muted")
        self._notes = plain_label(role="small", wrap=True)
        self._why_button = self._toggle(theme)
        self._arrange()
        self._connect()
        self._invite()

    def begin(self) -> None:
        """A search has begun."""
        self.answer = None
        self._status.setText(self.tr("Searching…"))

    def show_answer(self, answer: SearchAnswer) -> None:
        """Show an answer; the chosen photo and the height stay when it is refined."""
        current = self._current_picture()
        height = self.grid.verticalOffset()
        self.answer = answer
        self.understood.show_chips(understood_chips(answer.understanding))
        self._notes.setText(" · ".join(answer.understanding.notes))
        self._notes.setVisible(bool(answer.understanding.notes))
        self._head.show()
        self._fit(answer)
        self.model.show_answer(answer)
        self._choose(current)
        self.grid.verticalScrollBar().setValue(height)
        self.miss.show_miss(answer.near_miss, bool(answer.results))
        self._refresh_miss()
        nothing = answer.abstained or not answer.results
        self._stack.setCurrentWidget(self.miss if nothing else self.grid)
        self._say(answer)
        self._explain()

    def end(self, cancelled: bool) -> None:
        """The search has ended; what it found stays."""
        if cancelled and self.answer is not None and self.answer.stage == "first":
            self._status.setText(self.tr("Stopped; these are the first results"))
        elif self.answer is None:
            self._status.setText(self.tr("Stopped") if cancelled else "")

    def clear(self) -> None:
        """Show nothing, and what could be asked."""
        self.answer = None
        self.model.clear()
        self._head.hide()
        self.why.hide()
        self._why_button.setChecked(False)
        self._stack.setCurrentWidget(self.empty)

    def show_why(self) -> None:
        """Show or hide the reasons."""
        if self._head.isVisibleTo(self):
            self._why_button.toggle()

    def _invite(self) -> None:
        self.empty.say(
            self.tr("Find the photo you have in mind"),
            self.tr(
                "Describe it, and say what should not be in it. Or drop a photo into the "
                "square at the left of the search bar and say what should be different."
            ),
        )
        self.empty.suggest(
            (
                self.tr("a dog on the beach, without people"),
                self.tr("mountains in winter, no buildings"),
                self.tr("dinner with friends last summer"),
            )
        )
        self.clear()

    def _fit(self, answer: SearchAnswer) -> None:
        lines = max((len(result.verdicts) for result in answer.results), default=0)
        caption = min(lines, _MOST_LINES) * LINE + 8 if lines else 0
        self.grid.restyle(GridStyle(cell=196, caption=caption, gap=14))

    def _say(self, answer: SearchAnswer) -> None:
        kept = sum(not result.excluded for result in answer.results)
        if answer.stage == "first":
            self._status.setText(self.tr("First results; looking closer…"))
            return
        seconds = answer.seconds.get("final", 0.0)
        number = photos_in_words(0 if answer.abstained else kept)
        self._status.setText(self.tr("{0} in {1:.1f} s").format(number, seconds))

    def _explain(self) -> None:
        if self.answer is not None and self._why_button.isChecked():
            self.why.explain(self.answer, self._current_result())

    def _toggle_why(self, shown: bool) -> None:
        self.why.setVisible(shown)
        self._explain()

    def _current_picture(self) -> int:
        index = self.grid.currentIndex()
        return self.model.picture(index.row()) if index.isValid() else -1

    def _current_result(self) -> RankedPhoto | None:
        index = self.grid.currentIndex()
        return self.model.result(index.row()) if index.isValid() else None

    def _choose(self, picture: int) -> None:
        row = self.model.row_of(picture)
        if row >= 0:
            self.grid.setCurrentIndex(self.model.index(row, 0))

    def _arrived(self, picture: int) -> None:
        self.grid.viewport().update()
        if picture == self.miss.picture:
            self._refresh_miss()

    def _refresh_miss(self) -> None:
        if self.miss.picture >= 0:
            pixmap = self._thumbnails.whole(self.miss.picture, EDGE)
            self.miss.show_picture(pixmap, self._thumbnails.caption(self.miss.picture))

    def _show_closest(self) -> None:
        self._stack.setCurrentWidget(self.grid)
        self.grid.setFocus()

    def _row_changed(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._explain()

    def _connect(self) -> None:
        self.grid.opened.connect(self.opened)
        self.grid.menu_wanted.connect(self.menu_wanted)
        self.miss.opened.connect(self.opened)
        self.miss.closest_wanted.connect(self._show_closest)
        self.empty.suggested.connect(self.suggested)
        self._thumbnails.arrived.connect(self._arrived)
        self.grid.selectionModel().currentChanged.connect(self._row_changed)

    def _toggle(self, theme: Theme) -> QToolButton:
        toggle = QToolButton()
        toggle.setCheckable(True)
        dress(toggle, theme, "why")
        toggle.setText(self.tr("Why?"))
        toggle.setToolTip(self.tr("Why these photos: steps, counts, checks (Ctrl+I)"))
        toggle.setToolButtonStyle(toggle.toolButtonStyle().ToolButtonTextBesideIcon)
        toggle.toggled.connect(self._toggle_why)
        return toggle

    def _arrange(self) -> None:
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(22, 12, 22, 6)
        head.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(plain_label(self.tr("Results"), "title"))
        line.addWidget(self._status)
        line.addStretch(1)
        line.addWidget(self._why_button)
        label = plain_label(self.tr("Understood as"), "muted")
        label.setMinimumHeight(_CHIP_HEIGHT)
        chips = QHBoxLayout()
        chips.setSpacing(12)
        chips.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        chips.addWidget(self.understood, 1)
        head.addLayout(line)
        head.addLayout(chips)
        head.addWidget(self._notes)
        body = QWidget()
        self._stack = QStackedLayout(body)
        for part in (self.empty, self.grid, self.miss):
            self._stack.addWidget(part)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self._head)
        left.addWidget(body, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(left, 1)
        whole.addWidget(self.why)
