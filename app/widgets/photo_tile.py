"""One photo, filling a rounded rectangle; it can be clicked and has the focus like a button."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.theme import Theme, faded

_RADIUS = 12.0
_TALLEST = 340


class PhotoTile(QAbstractButton):
    """Crops the photo to its own shape; a quiet placeholder until it is there.

    `aspect` is height by width where the height should follow the width, else 0.
    """

    def __init__(self, theme: Theme, aspect: float = 0.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pixmap: QPixmap | None = None
        self._aspect = aspect
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        policy.setHeightForWidth(aspect > 0)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def show_pixmap(self, pixmap: QPixmap | None) -> None:
        """Show a picture, or the placeholder."""
        self._pixmap = pixmap
        self.update()

    def sizeHint(self) -> QSize:
        """The layout decides; this is a start."""
        return QSize(160, 160)

    def hasHeightForWidth(self) -> bool:
        """Where an aspect is given."""
        return self._aspect > 0

    def heightForWidth(self, width: int) -> int:
        """The height that keeps the aspect, up to a limit."""
        return min(round(width * self._aspect), _TALLEST)

    def minimumSizeHint(self) -> QSize:
        """Still to be seen."""
        return QSize(56, 56)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, then the marks of pointer and focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame, colours = QRectF(self.rect()), self._theme.colours
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._filling() if self._pixmap else colours.placeholder)
        painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
        if self.underMouse():
            painter.setBrush(faded(colours.text, 22))
            painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.accent, 3))
            painter.drawRoundedRect(frame.adjusted(1.5, 1.5, -1.5, -1.5), _RADIUS, _RADIUS)
        painter.end()

    def _filling(self) -> QBrush:
        assert self._pixmap is not None
        width, height = self._pixmap.width(), self._pixmap.height()
        scale = max(self.width() / max(1, width), self.height() / max(1, height))
        left, top = (self.width() - width * scale) / 2, (self.height() - height * scale) / 2
        brush = QBrush(self._pixmap)
        shift = QTransform.fromTranslate(left, top)
        brush.setTransform(QTransform.fromScale(scale, scale) * shift)
        return brush
