"""What an empty screen shows: a picture, a sentence, and the next thing to do."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.theme import Theme
from app.widgets.labels import button, plain_label

_ICON_PX = 56


class EmptyState(QWidget):
    """An icon, a title, a text, perhaps a big button, perhaps suggestions to click."""

    pressed = Signal()
    suggested = Signal(str)

    def __init__(self, theme: Theme, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icon_name = theme, icon
        self._icon = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._title = plain_label(role="display", wrap=True)
        self._text = plain_label(role="muted", wrap=True)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setMaximumWidth(520)
        self._button = button("", "large")
        self._button.clicked.connect(self.pressed)
        self._button.hide()
        self.setFocusProxy(self._button)
        self._suggestions = QVBoxLayout()
        self._suggestions.setSpacing(8)
        self._column()
        self._paint_icon()
        theme.changed.connect(self._paint_icon)

    def say(self, title: str, text: str, action: str = "") -> None:
        """Show these words, and a big button where there is something to do."""
        self._title.setText(title)
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))

    def suggest(self, texts: tuple[str, ...]) -> None:
        """Offer texts to click below the words."""
        for text in texts:
            offer = button(text, "suggestion")
            offer.clicked.connect(lambda _checked=False, text=text: self.suggested.emit(text))
            self._suggestions.addWidget(offer, 0, Qt.AlignmentFlag.AlignHCenter)

    def _column(self) -> None:
        column = QVBoxLayout(self)
        column.setSpacing(14)
        column.addStretch(2)
        column.addWidget(self._icon)
        column.addWidget(self._title)
        narrow = QHBoxLayout()
        narrow.addStretch(1)
        narrow.addWidget(self._text, 6)
        narrow.addStretch(1)
        column.addLayout(narrow)
        column.addSpacing(8)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._suggestions)
        column.addStretch(3)

    def _paint_icon(self) -> None:
        self._icon.setPixmap(self._theme.pixmap(self._icon_name, _ICON_PX, "accent"))
