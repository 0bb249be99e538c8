"""A panel of fixed width beside a screen, that scrolls down only."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class SidePanel(QScrollArea):
    """Tells more about what the screen shows; `width` in pixels, `name` for screen readers."""

    def __init__(self, width: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setWidgetResizable(True)
        self.setFixedWidth(width)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
