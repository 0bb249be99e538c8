"""A well that takes one photo: dropped, dragged from the grid, or chosen by a click."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QTransform,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.theme import Theme
from app.widgets.item_model import PICTURE_MIME

_SIDE = 44
_RADIUS = 9.0


class PhotoWell(QAbstractButton):
    """Empty: a dashed square. Filled: the photo. It knows numbers and files, not libraries."""

    picture_dropped = Signal(int)
    file_dropped = Signal(Path)
    emptied = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pixmap: QPixmap | None = None
        self._filled = False
        self._over = False
        self.setObjectName("well")
        self.setAcceptDrops(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(_SIDE, _SIDE)
        self.setAccessibleName(self.tr("Reference photo"))
        self.setToolTip(self.tr("Drop a photo here, or click to choose one; Delete takes it out"))
        theme.changed.connect(self.update)

    @property
    def filled(self) -> bool:
        """Whether it holds a photo."""
        return self._filled

    def hold(self, pixmap: QPixmap | None) -> None:
        """Hold a photo; its picture may come later."""
        self._filled, self._pixmap = True, pixmap
        self.update()

    def empty(self) -> None:
        """Hold nothing."""
        self._filled, self._pixmap = False, None
        self.update()

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(_SIDE, _SIDE)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take photos of the grid and files of this computer."""
        if accepts(event.mimeData()):
            event.acceptProposedAction()
            self._light_up(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The drag went elsewhere."""
        self._light_up(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Say what was dropped."""
        self._light_up(False)
        if self.take(event.mimeData()):
            event.acceptProposedAction()

    def take(self, data: QMimeData) -> bool:
        """Say what was dropped on it, or on what surrounds it; False where it is no photo."""
        if data.hasFormat(PICTURE_MIME):
            first = bytes(data.data(PICTURE_MIME).data()).split(b",")[0]
            self.picture_dropped.emit(int(first))
            return True
        for url in data.urls():
            if url.isLocalFile():
                self.file_dropped.emit(Path(url.toLocalFile()))
                return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the small cross takes the photo out."""
        if self._filled and self._cross().contains(event.position().toPoint()):
            self.emptied.emit()
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the photo out."""
        if self._filled and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.emptied.emit()
            return
        super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the cross."""
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, or the dashed square that invites one."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        square, colours = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), self._theme.colours
        bright = self._over or self.hasFocus() or self.underMouse()
        pen = QPen(colours.accent if bright else colours.muted, 2 if bright else 1.4)
        if self._filled and self._pixmap is not None:
            painter.setBrush(_filling(self._pixmap, self.width()))
            painter.setPen(pen if bright else Qt.PenStyle.NoPen)
        else:
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(colours.accent_soft if self._over else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(square, _RADIUS, _RADIUS)
        if self._pixmap is None:
            name = "photo" if self._filled else "photo-add"
            icon = self._theme.pixmap(name, 24, "accent" if bright else "muted")
            painter.drawPixmap((self.width() - 24) // 2, (self.height() - 24) // 2, icon)
        if self._filled and bright:
            self._paint_cross(painter)
        painter.end()

    def _cross(self) -> QRect:
        return QRect(self.width() - 18, 0, 18, 18)

    def _paint_cross(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colours.accent)
        painter.drawEllipse(self._cross())
        icon = self._theme.pixmap("close", 12, "on_accent")
        painter.drawPixmap(self._cross().topLeft() + QPoint(3, 3), icon)

    def _light_up(self, over: bool) -> None:
        self._over = over
        self.update()


def accepts(data: QMimeData) -> bool:
    """Whether a drag holds a photo of the grid or a file of this computer."""
    return data.hasFormat(PICTURE_MIME) or any(url.isLocalFile() for url in data.urls())


def _filling(pixmap: QPixmap, side: int) -> QBrush:
    scale = side / max(1, min(pixmap.width(), pixmap.height()))
    brush = QBrush(pixmap)
    left = (side - pixmap.width() * scale) / 2
    top = (side - pixmap.height() * scale) / 2
    shift = QTransform.fromTranslate(left, top)
    brush.setTransform(QTransform.fromScale(scale, scale) * shift)
    return brush
