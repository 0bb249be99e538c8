"""Paints one picture of the grid: rounded, with hover, selection and focus."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.theme import Theme, faded
from app.widgets.item_model import CellRole
from app.widgets.rounding import RADIUS, RoundedPictures

_DIMMED = 0.42
_HOVER = 34


class ThumbnailDelegate(QStyledItemDelegate):
    """A square picture; what is below it is left to subclasses."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._rounded = RoundedPictures()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint picture, caption, then the marks of state above them."""
        rect = QRect(option.rect)
        state = option.state
        square = QRect(rect.left(), rect.top(), rect.width(), rect.width())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        self._paint_picture(painter, square.adjusted(5, 5, -5, -5) if chosen else square, index)
        self.paint_caption(painter, rect, index)
        self._paint_state(painter, square, state)
        painter.restore()

    def paint_caption(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint what is below the picture; nothing here."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The grid decides; a size is needed by Qt alone."""
        return QSize(160, 160)

    def _paint_picture(
        self, painter: QPainter, square: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        pixmap = index.data(Qt.ItemDataRole.DecorationRole)
        painter.setPen(Qt.PenStyle.NoPen)
        if not isinstance(pixmap, QPixmap):
            self._paint_placeholder(painter, square, bool(index.data(CellRole.BROKEN)))
            return
        ratio = painter.device().devicePixelRatioF()
        line = faded(self.theme.colours.text, 28)
        painter.setOpacity(_DIMMED if index.data(CellRole.DIMMED) else 1.0)
        picture = self._rounded.rounded(pixmap, square.width(), ratio, line)
        painter.drawPixmap(square.topLeft(), picture)
        painter.setOpacity(1.0)

    def _paint_placeholder(self, painter: QPainter, square: QRect, broken: bool) -> None:
        painter.setBrush(self.theme.colours.placeholder)
        painter.drawRoundedRect(square, RADIUS, RADIUS)
        if broken:
            icon = self.theme.pixmap("broken", 24, "muted")
            painter.drawPixmap(square.center() - QRect(0, 0, 24, 24).center(), icon)

    def _paint_state(self, painter: QPainter, square: QRect, state: QStyle.StateFlag) -> None:
        colours = self.theme.colours
        if state & QStyle.StateFlag.State_MouseOver:
            path = QPainterPath()
            path.addRoundedRect(QRectF(square), RADIUS, RADIUS)
            painter.fillPath(path, faded(colours.text, _HOVER))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inner = QRectF(square).adjusted(1.5, 1.5, -1.5, -1.5)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(colours.accent, 3))
            painter.drawRoundedRect(inner, RADIUS, RADIUS)
            self._paint_tick(painter, square)
        elif state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colours.accent, 2))
            painter.drawRoundedRect(inner, RADIUS, RADIUS)

    def _paint_tick(self, painter: QPainter, square: QRect) -> None:
        badge = QRect(square.right() - 32, square.top() + 11, 22, 22)
        painter.setPen(QPen(self.theme.colours.on_accent, 1.5))
        painter.setBrush(self.theme.colours.accent)
        painter.drawEllipse(badge)
        painter.drawPixmap(badge.adjusted(3, 3, 0, 0).topLeft(), self._tick())

    def _tick(self) -> QPixmap:
        return self.theme.pixmap("kept", 16, "on_accent")
