"""A layout that puts widgets beside each other and breaks lines like text."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, then the next line; its height depends on its width."""

    def __init__(self, spacing: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def clear(self) -> None:
        """Remove and forget every widget."""
        while self._items:
            widget = self._items.pop().widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()

    def addItem(self, item: QLayoutItem) -> None:
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item by its place, None past the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and return an item, None past the end."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrower means higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height at a width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """All on one line would be best."""
        widths = [item.sizeHint().width() for item in self._items]
        return QSize(sum(widths) + self.spacing() * len(widths), self.minimumSize().height())

    def minimumSize(self) -> QSize:
        """The largest single item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, move: bool) -> int:
        x, y, line = rect.left(), rect.top(), 0
        for item in self._items:
            size = item.sizeHint()
            width = min(size.width(), max(1, rect.width()))
            if x > rect.left() and x + width > rect.right() + 1:
                x, y, line = rect.left(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x, line = x + width + self.spacing(), max(line, size.height())
        return y + line - rect.top()
