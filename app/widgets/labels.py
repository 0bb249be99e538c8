"""Labels and buttons of one look; labels show text as it is, never as markup."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget


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


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have it look again."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
