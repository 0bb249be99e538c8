"""A score between 0 and 1 as a bar, with its name and what it says."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.theme import Theme
from app.widgets.labels import plain_label

_BAR_PX = 6


class Meter(QWidget):
    """Name and percentage above a bar, words below it."""

    def __init__(
        self, name: str, score: float, text: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        percent = f"{score:.0%}"
        self.setAccessibleName(f"{name}: {percent}. {text}")
        head = QHBoxLayout()
        head.addWidget(plain_label(name, "heading"))
        head.addStretch(1)
        head.addWidget(plain_label(percent, "muted"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(head)
        column.addWidget(_Bar(score, theme))
        column.addWidget(plain_label(text, "small", wrap=True))
        column.addStretch(1)


class _Bar(QWidget):
    def __init__(self, score: float, theme: Theme) -> None:
        super().__init__()
        self._score, self._theme = min(max(score, 0.0), 1.0), theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(80, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(self._theme.colours.hover)
        painter.drawRoundedRect(whole, _BAR_PX / 2, _BAR_PX / 2)
        whole.setWidth(max(_BAR_PX, whole.width() * self._score))
        painter.setBrush(self._theme.colours.accent)
        painter.drawRoundedRect(whole, _BAR_PX / 2, _BAR_PX / 2)
        painter.end()
