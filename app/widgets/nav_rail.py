"""The rail at the left: the application's name, its places, and what is below them."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import Theme
from app.widgets.labels import plain_label


class NavRail(QFrame):
    """One place is current; `chosen` tells which the user wants."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setFixedWidth(196)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._places: dict[str, tuple[QToolButton, str, str]] = {}
        self._logo = QLabel()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 16, 12, 14)
        self._column.setSpacing(3)
        brand = QHBoxLayout()
        brand.setSpacing(10)
        name = plain_label("photoapp")
        name.setObjectName("brand")
        brand.addWidget(self._logo)
        brand.addWidget(name, 1)
        self._column.addLayout(brand)
        self._column.addSpacing(14)
        self._foot = QVBoxLayout()
        self._foot.setSpacing(4)
        self._column.addStretch(1)
        self._column.addLayout(self._foot)
        self._repaint()
        theme.changed.connect(self._repaint)

    def add_place(self, name: str, title: str, icon: str, tooltip: str) -> None:
        """Add a place below the others."""
        place = QToolButton()
        place.setProperty("kind", "place")
        place.setCheckable(True)
        place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        place.setToolTip(tooltip)
        place.setIconSize(QSize(20, 20))
        place.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        place.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        place.clicked.connect(lambda: self.chosen.emit(name))
        place.toggled.connect(self._repaint)
        self._group.addButton(place)
        self._places[name] = (place, title, icon)
        self._column.insertWidget(self._column.count() - 2, place)
        self.count(name, 0)
        self._repaint()

    def add_foot(self, widget: QWidget) -> None:
        """Add a widget at the bottom."""
        self._foot.addWidget(widget)

    def set_current(self, name: str) -> None:
        """Show which place is current."""
        if name in self._places:
            self._places[name][0].setChecked(True)

    def count(self, name: str, number: int) -> None:
        """Show a number beside a place's title; none for 0."""
        place, title, _ = self._places[name]
        place.setText(f"  {title}" + (f"  ·  {number}" if number else ""))

    def _repaint(self) -> None:
        self._logo.setPixmap(self._theme.pixmap("photoapp", 28))
        for place, _, icon in self._places.values():
            colour = "accent" if place.isChecked() else "muted"
            place.setIcon(self._theme.icon(icon, colour))
