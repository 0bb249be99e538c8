"""The search bar: words, and a well for the photo that they speak of."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from app.theme import Theme
from app.widgets.labels import button, dress, restyle
from app.widgets.photo_well import PhotoWell, accepts


@dataclass(frozen=True, slots=True)
class Chosen:
    """The reference photo as the user chose it: a photo of the library, or a file."""

    picture: int | None = None
    path: Path | None = None


class SearchBar(QFrame):
    """`asked` says that the user wants an answer; `text` and `reference` say to what."""

    asked = Signal()
    stopped = Signal()
    cleared = Signal()
    choose_wanted = Signal()
    reference_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchBar")
        self.setAcceptDrops(True)
        self.setMinimumHeight(58)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._reference: Chosen | None = None
        self._busy = False
        self.well = PhotoWell(theme, self)
        self.line = QLineEdit()
        self.line.setAcceptDrops(False)  # a dropped photo belongs to the well
        self.line.setAccessibleName(self.tr("Search"))
        self.line.installEventFilter(self)
        self.clear_button = QToolButton()
        dress(self.clear_button, theme, "close", "muted")
        self.clear_button.setToolTip(self.tr("Clear the search (Esc)"))
        self.clear_button.setAccessibleName(self.tr("Clear the search"))
        self.go = button("", "primary")
        self.go.setMinimumWidth(88)
        line = QHBoxLayout(self)
        line.setContentsMargins(7, 6, 8, 6)
        line.setSpacing(8)
        for widget in (self.well, self.line, self.clear_button, self.go):
            line.addWidget(widget)
        self._connect()
        self._refresh()

    @property
    def text(self) -> str:
        """The words."""
        return self.line.text().strip()

    @property
    def reference(self) -> Chosen | None:
        """The photo in the well."""
        return self._reference

    def refer_to(self, chosen: Chosen | None) -> None:
        """Put a photo into the well, or take it out."""
        self._reference = chosen
        self.well.empty() if chosen is None else self.well.hold(None)
        self._refresh()
        self.reference_changed.emit(chosen)
        self.line.setFocus()

    def show_reference(self, pixmap: QPixmap) -> None:
        """Show the picture of the photo in the well."""
        if self._reference is not None:
            self.well.hold(pixmap)

    def set_busy(self, busy: bool) -> None:
        """While an answer is on its way, the button stops it."""
        self._busy = busy
        self._refresh()

    def clear(self) -> None:
        """Forget words and photo."""
        self.line.clear()
        if self._reference is not None:
            self.refer_to(None)
        self.cleared.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """The whole bar takes photos."""
        if accepts(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand the photo to the well."""
        if self.well.take(event.mimeData()):
            event.acceptProposedAction()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Light up while the words have the focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            restyle(self, "active", event.type() == QEvent.Type.FocusIn)
        return False

    def _connect(self) -> None:
        self.well.picture_dropped.connect(lambda picture: self.refer_to(Chosen(picture)))
        self.well.file_dropped.connect(lambda path: self.refer_to(Chosen(path=path)))
        self.well.clicked.connect(self.choose_wanted)
        self.well.emptied.connect(lambda: self.refer_to(None))
        self.line.returnPressed.connect(self.asked)
        self.line.textChanged.connect(self._refresh)
        self.clear_button.clicked.connect(self.clear)
        self.go.clicked.connect(self._press)

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.asked.emit()

    def _refresh(self) -> None:
        referring = self._reference is not None
        self.clear_button.setVisible(bool(self.line.text()) or referring)
        self.go.setText(self.tr("Stop") if self._busy else self.tr("Search"))
        self.line.setPlaceholderText(
            self.tr("What should be different from this photo? Empty: find similar ones")
            if referring
            else self.tr("Describe a photo, or drop one at the left and say what should differ")
        )
