"""A virtual grid of pictures in sections: smooth at any number of them."""

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QDrag,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from app.theme import Theme
from app.widgets.grid_geometry import GridGeometry, GridStyle
from app.widgets.item_model import PictureModel
from app.widgets.section_header import paint_section_header

_PINNED_LESS = 8
_EDGE_STEP = 64
"""Pictures are loaded in multiples of this, so that a resized window need not load them anew."""


class SectionGrid(QAbstractItemView):
    """Shows a `PictureModel`; lays out by arithmetic and paints the visible rows alone."""

    opened = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, style: GridStyle, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._style = style
        self._geometry = GridGeometry((), (), 1, style)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Photos"))
        theme.changed.connect(self.viewport().update)
        self.doubleClicked.connect(self._open)

    # what callers use

    @property
    def pictures(self) -> PictureModel | None:
        """The model, where one is set."""
        model = self.model()
        return model if isinstance(model, PictureModel) else None

    @property
    def grid_geometry(self) -> GridGeometry:
        """The layout in use."""
        return self._geometry

    def restyle(self, style: GridStyle) -> None:
        """Use other sizes; the picture at the top stays in sight."""
        anchor = self._geometry.row_at(self._style.margin, self.verticalOffset() + style.header)
        self._style = style
        self.doItemsLayout()
        if anchor >= 0:
            self.verticalScrollBar().setValue(self._geometry.rect(anchor).top() - style.header)

    def chosen(self) -> list[int]:
        """The pictures that are chosen, in order."""
        model = self.pictures
        if model is None:
            return []
        return [model.picture(row) for row in sorted(i.row() for i in self.selectedIndexes())]

    # what QAbstractItemView asks

    def doItemsLayout(self) -> None:
        """Compute the layout anew."""
        model = self.pictures
        sections = model.sections if model else ()
        self._geometry = GridGeometry(
            [section.count for section in sections],
            [bool(section.title) for section in sections],
            self.viewport().width(),
            self._style,
        )
        if model:
            pixels = self._geometry.side * self.devicePixelRatioF()
            model.edge = -(-int(pixels) // _EDGE_STEP) * _EDGE_STEP
        super().doItemsLayout()
        self.viewport().update()

    def updateGeometries(self) -> None:
        """Tell the scroll bar how much there is."""
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(page)
        bar.setSingleStep(max(20, self._geometry.pitch // 3))
        bar.setRange(0, max(0, self._geometry.height - page))
        super().updateGeometries()

    def reset(self) -> None:
        """Show another content from the same height."""
        super().reset()
        self.doItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self.doItemsLayout()

    def horizontalOffset(self) -> int:
        """It never scrolls sideways."""
        return 0

    def verticalOffset(self) -> int:
        """How far it is scrolled."""
        return self.verticalScrollBar().value()

    def isIndexHidden(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Nothing is hidden."""
        return False

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        """Where a cell is in the viewport."""
        if not index.isValid() or index.row() >= self._geometry.total:
            return QRect()
        return self._geometry.rect(index.row()).translated(0, -self.verticalOffset())

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The cell at a point of the viewport."""
        row = self._geometry.row_at(point.x(), point.y() + self.verticalOffset())
        return self._index(row)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll as little as shows the cell."""
        if not index.isValid() or index.row() >= self._geometry.total:
            return
        rect, bar = self._geometry.rect(index.row()), self.verticalScrollBar()
        top, page = bar.value() + self._style.header, self.viewport().height()
        if hint == QAbstractItemView.ScrollHint.PositionAtCenter:
            bar.setValue(rect.center().y() - page // 2)
        elif rect.top() < top:
            bar.setValue(rect.top() - self._style.header)
        elif rect.bottom() + self._style.gap > bar.value() + page:
            bar.setValue(rect.bottom() + self._style.gap - page)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Where a key leads."""
        if not self._geometry.total:
            return QModelIndex()
        if not self.currentIndex().isValid():
            return self._index(0)
        row, last = self.currentIndex().row(), self._geometry.total - 1
        page = max(1, self.viewport().height() // self._geometry.pitch)
        moves = QAbstractItemView.CursorAction
        match action:
            case moves.MoveLeft | moves.MovePrevious:
                row -= 1
            case moves.MoveRight | moves.MoveNext:
                row += 1
            case moves.MoveUp:
                row = self._geometry.neighbour(row, -1)
            case moves.MoveDown:
                row = self._geometry.neighbour(row, 1)
            case moves.MovePageUp:
                row = self._geometry.neighbour(row, -page)
            case moves.MovePageDown:
                row = self._geometry.neighbour(row, page)
            case moves.MoveHome:
                row = 0
            case moves.MoveEnd:
                row = last
        return self._index(min(max(row, 0), last))

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """From the cell at one end to that at the other; else all that the rectangle meets."""
        start, end = self.indexAt(rect.topLeft()), self.indexAt(rect.bottomRight())
        selection = QItemSelection()
        if start.isValid() and end.isValid():
            low, high = sorted((start.row(), end.row()))
            selection.append(QItemSelectionRange(self._index(low), self._index(high)))
        else:
            for row in self._rows_in(rect.normalized()):
                selection.append(QItemSelectionRange(self._index(row)))
        self.selectionModel().select(selection, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """The visible part of a selection; the viewport is repainted whole."""
        return QRegion(self.viewport().rect())

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Repaint: the pinned header does not move along."""
        self.viewport().update()

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the chosen pictures, the first of them under the pointer."""
        model, indexes = self.pictures, self.selectedIndexes()
        if model is None or not indexes:
            return
        drag = QDrag(self)
        drag.setMimeData(model.mimeData(indexes))
        pixmap = self.currentIndex().data(Qt.ItemDataRole.DecorationRole)
        if isinstance(pixmap, QPixmap):
            mode = Qt.TransformationMode.SmoothTransformation
            drag.setPixmap(pixmap.scaledToWidth(96, mode))
            drag.setHotSpot(QPoint(48, 48))
        drag.exec(Qt.DropAction.CopyAction)

    # events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and space open; the rest moves."""
        opens = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in opens and self.currentIndex().isValid():
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        super().mouseMoveEvent(event)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the cell below the pointer."""
        index, model = self.indexAt(event.pos()), self.pictures
        if index.isValid() and model is not None:
            self.menu_wanted.emit(model.picture(index.row()), event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells and headers that meet the viewport."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.colours.window)
        top, option = self.verticalOffset(), QStyleOptionViewItem()
        self.initViewItemOption(option)
        hovered = self.indexAt(self._pointer())
        for run in self._geometry.visible(top, top + self.viewport().height()):
            self._paint_header(painter, run.section, pinned=False)
            for row in range(run.first, run.last + 1):
                self._paint_cell(painter, self._index(row), option, hovered)
        self._paint_pinned(painter)
        painter.end()

    # parts

    def _paint_cell(
        self,
        painter: QPainter,
        index: QModelIndex,
        option: QStyleOptionViewItem,
        hovered: QModelIndex,
    ) -> None:
        state = QStyle.StateFlag.State_Enabled
        if self.selectionModel().isSelected(index):
            state |= QStyle.StateFlag.State_Selected
        if self.hasFocus() and index == self.currentIndex():
            state |= QStyle.StateFlag.State_HasFocus
        if index == hovered:
            state |= QStyle.StateFlag.State_MouseOver
        option.rect = self.visualRect(index)
        option.state = state
        self.itemDelegate().paint(painter, option, index)

    def _pointer(self) -> QPoint:
        under = self.viewport().underMouse()
        return self.viewport().mapFromGlobal(QCursor.pos()) if under else QPoint(-1, -1)

    def _paint_header(self, painter: QPainter, section: int, pinned: bool) -> None:
        model = self.pictures
        rect = self._geometry.header_rect(section)
        if model is None or not rect.height():
            return
        rect.translate(0, -self.verticalOffset())
        if pinned:
            end = self._geometry.bottom_of(section) - self.verticalOffset()
            rect.moveTop(min(0, end - rect.height()))
            rect.setHeight(rect.height() - _PINNED_LESS)
            band = rect.adjusted(-self._style.gap, 0, self._style.margin, 0)
            painter.fillRect(band, self._theme.colours.window)
        content = model.sections[section]
        paint_section_header(painter, rect, content, self._theme.colours, self.font())

    def _paint_pinned(self, painter: QPainter) -> None:
        if not self._geometry.sections:
            return
        for section in self._geometry.band_at(self.verticalOffset()):
            if self._geometry.header_rect(section).top() < self.verticalOffset():
                self._paint_header(painter, section, pinned=True)

    def _rows_in(self, rect: QRect) -> list[int]:
        moved = rect.translated(0, self.verticalOffset())
        runs = self._geometry.visible(moved.top(), moved.bottom())
        rows = (row for run in runs for row in range(run.first, run.last + 1))
        return [row for row in rows if self._geometry.rect(row).intersects(moved)]

    def _index(self, row: int) -> QModelIndex:
        model = self.model()
        return model.index(row, 0) if model is not None and row >= 0 else QModelIndex()

    def _open(self, index: QModelIndex) -> None:
        model = self.pictures
        if model is not None and index.isValid():
            self.opened.emit(model.picture(index.row()))

    def sizeHint(self) -> QSize:
        """Large enough to be of use."""
        return QSize(640, 480)
