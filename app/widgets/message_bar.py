"""A bar for what the user should know: what happened, and what can be done."""

from enum import StrEnum

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.theme import Theme
from app.widgets.labels import dress, plain_label, restyle


class MessageKind(StrEnum):
    """How a message looks."""

    ERROR = "error"
    NOTE = "note"
    DONE = "done"


_STAYS_MS = {MessageKind.DONE: 8_000, MessageKind.NOTE: 20_000}
_ICONS = {
    MessageKind.ERROR: ("problem", "changed"),
    MessageKind.NOTE: ("why", "unsure"),
    MessageKind.DONE: ("kept", "kept"),
}


class MessageBar(QFrame):
    """Shows one message, the newest, until it is closed; all but errors go away by themselves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self._theme = theme
        self._fading = QTimer(self, singleShot=True)
        self._fading.timeout.connect(self.hide)
        self._symbol = QLabel()
        self._kind = MessageKind.NOTE
        theme.changed.connect(self._paint_symbol)
        self._message = plain_label(role="heading", wrap=True)
        self._advice = plain_label(wrap=True)
        close = QToolButton()
        dress(close, theme, "close")
        close.setToolTip(self.tr("Close this message"))
        close.setAccessibleName(self.tr("Close this message"))
        close.clicked.connect(self.hide)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._message)
        words.addWidget(self._advice)
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 8, 8, 8)
        line.setSpacing(12)
        line.addWidget(self._symbol)
        line.addLayout(words, 1)
        line.addWidget(close)
        self.hide()

    @property
    def message(self) -> str:
        """What is said."""
        return self._message.text()

    @property
    def advice(self) -> str:
        """What can be done."""
        return self._advice.text()

    def tell(self, message: str, advice: str = "", kind: MessageKind = MessageKind.NOTE) -> None:
        """Show a message instead of the one before."""
        self._kind = kind
        self._paint_symbol()
        self._message.setText(message)
        self._advice.setText(advice)
        self._advice.setVisible(bool(advice))
        self.setAccessibleName(f"{message} {advice}".strip())
        restyle(self, "kind", kind.value)
        self.show()
        self._fading.stop()
        if kind in _STAYS_MS:
            self._fading.start(_STAYS_MS[kind])

    def _paint_symbol(self) -> None:
        icon, colour = _ICONS[self._kind]
        self._symbol.setPixmap(self._theme.pixmap(icon, 20, colour))
