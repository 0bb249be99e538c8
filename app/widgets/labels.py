"""Labels and buttons of one look; labels show text as it is, never as markup."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QSizePolicy, QWidget

from app.theme import Theme


def plain_label(
    text: str = "", role: str = "", wrap: bool = False, parent: QWidget | None = None
) -> QLabel:
    """A label of plain text; `role` names its style: display, title, heading, muted, small."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(wrap)
    if role:
        label.setProperty("role", role)
    if wrap:
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
    return label


def button(text: str, kind: str = "", parent: QWidget | None = None) -> QPushButton:
    """A button; `kind` names its style: primary, large, quiet, suggestion."""
    made = QPushButton(text, parent)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        made.setProperty("kind", kind)
    return made


class ElidedLabel(QLabel):
    """One line of plain text that gives way: what does not fit becomes an ellipsis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "heading")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as fits."""
        painter = QPainter(self)
        middle = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text(), middle, self.width())
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), align, text)
        painter.end()


class _Dresser(QObject):
    """A child of the button, so that Qt disconnects it when the button goes."""

    def __init__(self, target: QAbstractButton, theme: Theme, icon: str, colour: str) -> None:
        super().__init__(target)
        self._target, self._theme, self._icon, self._colour = target, theme, icon, colour

    def put_on(self) -> None:
        self._target.setIcon(self._theme.icon(self._icon, self._colour))


def dress(target: QAbstractButton, theme: Theme, icon: str, colour: str = "text") -> None:
    """Give a button an icon that follows the look."""
    dresser = _Dresser(target, theme, icon, colour)
    theme.changed.connect(dresser.put_on)
    dresser.put_on()


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have it look again."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
