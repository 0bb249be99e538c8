"""A photo as large as its place allows, upright and sharp."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import Theme

_MARGIN = 18
_RADIUS = 10.0
_LARGEST_SCALE = 3


class Picture(QWidget):
    """Fits the whole photo; a small one is enlarged three times at most."""

    resized = Signal()
    clicked_side = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pixmap: QPixmap | None = None
        self._broken = False
        self._whole = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    @property
    def pixmap(self) -> QPixmap | None:
        """What is shown."""
        return self._pixmap

    def show_pixmap(
        self, pixmap: QPixmap | None, *, broken: bool = False, whole: bool = False
    ) -> None:
        """Show a photo, or that it cannot be read; `whole` says that these are all its pixels."""
        self._pixmap, self._broken, self._whole = pixmap, broken, whole
        self.update()

    def sizeHint(self) -> QSize:
        """As large as it may be."""
        return QSize(800, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A larger place may need a sharper photo."""
        super().resizeEvent(event)
        self.resized.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The left third leads back, the right third leads on."""
        third = self.width() / 3
        x = event.position().x()
        if x < third or x > 2 * third:
            self.clicked_side.emit(-1 if x < third else 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo in the middle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._pixmap is None or self._pixmap.isNull():
            self._paint_missing(painter)
        else:
            target = self._target(self._pixmap)
            path = QPainterPath()
            path.addRoundedRect(target, _RADIUS, _RADIUS)
            painter.setClipPath(path)
            painter.drawPixmap(target, self._pixmap, QRectF(self._pixmap.rect()))
        painter.end()

    def _target(self, pixmap: QPixmap) -> QRectF:
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        most = room.size().toSize()
        if self._whole:
            most = most.boundedTo(pixmap.size() * _LARGEST_SCALE)
        size = QSize(pixmap.size()).scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(0, 0, size.width(), size.height())
        target.moveCenter(room.center())
        return target

    def _paint_missing(self, painter: QPainter) -> None:
        name = "broken" if self._broken else "photo"
        icon = self._theme.pixmap(name, 48, "muted")
        painter.drawPixmap(self.width() // 2 - 24, self.height() // 2 - 24, icon)
