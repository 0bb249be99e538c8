"""The library screen: every photo by day and session, or the way to the first ones."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSlider,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.library.item_model import TimelineContent, TimelineModel
from app.theme import Theme
from app.widgets.empty_state import EmptyState
from app.widgets.grid_geometry import GridStyle
from app.widgets.grid_memory import GridMemory
from app.widgets.item_model import PictureSource
from app.widgets.labels import button, dress, plain_label
from app.widgets.section_grid import SectionGrid
from app.widgets.thumbnail_delegate import ThumbnailDelegate
from app.words import count_in_words

_SMALLEST, _LARGEST, _USUAL, _STEP = 88, 320, 168, 24


class LibraryScreen(QWidget):
    """The grid with its header; takes dropped folders."""

    add_wanted = Signal()
    more_wanted = Signal()
    folders_dropped = Signal(list)

    def __init__(self, source: PictureSource, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self.model = TimelineModel(source, self)
        self._style = GridStyle(cell=_USUAL)
        self._cut_short = False
        self.grid = SectionGrid(theme, self._style, self)
        self.grid.setModel(self.model)
        self.grid.setItemDelegate(ThumbnailDelegate(theme, self.grid))
        self.empty = EmptyState(theme, "folder-add", self)
        self.empty.pressed.connect(self._press)
        self._count = plain_label(role="muted")
        self._zoom = self._slider()
        self._head = self._header(theme)
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.grid)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(body, 1)
        self.model.modelReset.connect(self._refresh)
        self.expect_folders()

    def expect_folders(self) -> None:
        """Say what to do while the library is empty."""
        self._cut_short = False
        self.empty.say(
            self.tr("Your photos stay where they are"),
            self.tr(
                "Choose the folders that hold them. They are read, never changed or moved, "
                "and nothing leaves this computer."
            ),
            self.tr("Choose folders…"),
        )
        self._refresh()

    def expect_more(self) -> None:
        """Say that folders are known but none of their photos: reading them was cut short."""
        self._cut_short = True
        self.empty.say(
            self.tr("No photos yet"),
            self.tr("The folders of this library have not been read to the end."),
            self.tr("Go on reading"),
        )
        self._refresh()

    def expect_photos(self) -> None:
        """Say that photos are on their way."""
        self.empty.say(
            self.tr("Looking for your photos"),
            self.tr("The first ones appear here in a moment. You can go on meanwhile."),
        )
        self._refresh()

    def show_timeline(self, content: TimelineContent) -> None:
        """Show this timeline; what is chosen and in sight stays so."""
        if self.model.shows(content):
            self.grid.viewport().update()
            return
        memory = GridMemory.of(self.grid)
        self.model.show_timeline(content)
        memory.restore(self.grid)

    def zoom(self, steps: int) -> None:
        """Make the pictures larger, or smaller where negative."""
        self._zoom.setValue(self._zoom.value() + steps * _STEP)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take folders of this computer."""
        if _folders_of(event) and event.source() is None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the dropped folders."""
        event.acceptProposedAction()
        self.folders_dropped.emit(_folders_of(event))

    def _press(self) -> None:
        wanted = self.more_wanted if self._cut_short else self.add_wanted
        wanted.emit()

    def _refresh(self) -> None:
        number = self.model.rowCount()
        self._count.setText(count_in_words(number))
        first_photos = bool(number) and self._stack.currentWidget() is self.empty
        self._stack.setCurrentWidget(self.grid if number else self.empty)
        if first_photos and not isinstance(QApplication.focusWidget(), QLineEdit):
            self.grid.setFocus()
        self._head.setVisible(number > 0)
        self.setFocusProxy(self.grid if number else self.empty)

    def _resize_cells(self, side: int) -> None:
        self._style = replace(self._style, cell=side)
        self.grid.restyle(self._style)

    def _slider(self) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(_SMALLEST, _LARGEST)
        slider.setValue(_USUAL)
        slider.setSingleStep(_STEP)
        slider.setFixedWidth(130)
        slider.setAccessibleName(self.tr("Size of the pictures"))
        slider.setToolTip(self.tr("Size of the pictures (Ctrl+Plus, Ctrl+Minus)"))
        slider.valueChanged.connect(self._resize_cells)
        return slider

    def _header(self, theme: Theme) -> QWidget:
        add = button(self.tr("Add folder…"))
        dress(add, theme, "folder-add")
        add.setToolTip(self.tr("Add a folder of photos (Ctrl+O)"))
        add.clicked.connect(self.add_wanted)
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(22, 14, 22, 6)
        line.setSpacing(10)
        line.addWidget(plain_label(self.tr("Photos"), "title"))
        line.addWidget(self._count)
        line.addStretch(1)
        for name in ("smaller", "larger"):
            symbol = QLabel()
            symbol.setPixmap(theme.pixmap(name, 16, "muted"))
            line.addWidget(symbol)
            if name == "smaller":
                line.addWidget(self._zoom)
        line.addSpacing(10)
        line.addWidget(add)
        return head


def _folders_of(event: QDropEvent) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [path for path in paths if path.is_dir()]
