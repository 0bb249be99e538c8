"""A dialog that lists shortcuts."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from app.widgets.labels import button, plain_label


class ShortcutsDialog(QDialog):
    """Two columns: what, and which keys."""

    def __init__(self, rows: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(48)
        grid.setVerticalSpacing(8)
        for line, (words, keys) in enumerate(rows):
            grid.addWidget(plain_label(words), line, 0)
            grid.addWidget(plain_label(keys, "muted"), line, 1)
        done = button(self.tr("Close"), "primary")
        done.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(16)
        column.addWidget(plain_label(self.tr("Keyboard shortcuts"), "title"))
        column.addLayout(grid)
        column.addWidget(done)
