"""A question before something is done, with what it is about and perhaps a choice."""

from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.widgets.labels import button, plain_label

_WIDTH = 460


class ConfirmDialog(QDialog):
    """Accepted by its one button that does something; Esc and "Cancel" reject it."""

    def __init__(self, title: str, text: str, doing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setFixedWidth(_WIDTH)
        self.text = text
        self.choice = QCheckBox()
        self.choice.hide()
        self.accept_button = button(doing, "primary")
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button = button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addStretch(1)
        line.addWidget(self.cancel_button)
        line.addWidget(self.accept_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(14)
        column.addWidget(plain_label(title, "title", wrap=True))
        column.addWidget(plain_label(text, "muted", wrap=True))
        column.addWidget(self.choice)
        column.addSpacing(6)
        column.addLayout(line)

    def offer(self, choice: str) -> None:
        """Let the user make a choice, which is off at first."""
        self.choice.setText(choice)
        self.choice.show()
