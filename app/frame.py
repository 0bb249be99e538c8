"""How the parts of the window lie beside and below each other."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def framed(
    rail: QWidget, header: QWidget, messages: QWidget, pages: QWidget, strip: QWidget
) -> QWidget:
    """The rail at the left; header, messages, page and progress strip below each other."""
    message_line = QHBoxLayout()
    message_line.setContentsMargins(20, 8, 20, 0)
    message_line.addWidget(messages)
    right = QVBoxLayout()
    right.setSpacing(0)
    right.addWidget(header)
    right.addLayout(message_line)
    right.addWidget(pages, 1)
    right.addWidget(strip)
    body = QWidget()
    body.setObjectName("page")
    whole = QHBoxLayout(body)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.setSpacing(0)
    whole.addWidget(rail)
    whole.addLayout(right, 1)
    return body


def header_of(bar: QWidget, menu_button: QWidget) -> QWidget:
    """The search bar, and the menu at its right."""
    header = QWidget()
    header.setObjectName("header")
    line = QHBoxLayout(header)
    line.setContentsMargins(20, 12, 14, 12)
    line.setSpacing(10)
    line.addWidget(bar, 1)
    line.addWidget(menu_button)
    return header
