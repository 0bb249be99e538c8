"""A dialog with a report that can be copied: for what should not have happened."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.widgets.labels import button, plain_label


class ReportDialog(QDialog):
    """Words for the user and a report for those who mend it; nothing is sent anywhere."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = report
        self.setWindowTitle(self.tr("Something went wrong"))
        self.resize(640, 460)
        title = plain_label(self.tr("Something went wrong"), "title")
        words = self.tr(
            "This is a fault in the application. Your photos are untouched. Copy the report "
            "and add it when you tell the developers; nothing is sent by itself."
        )
        text = QPlainTextEdit(report)
        text.setReadOnly(True)
        text.setAccessibleName(self.tr("Report"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 20)
        column.setSpacing(12)
        column.addWidget(title)
        column.addWidget(plain_label(words, "muted", wrap=True))
        column.addWidget(text, 1)
        column.addLayout(self._buttons())

    def copy(self) -> None:
        """Put the report on the clipboard."""
        QGuiApplication.clipboard().setText(self.report)

    def _buttons(self) -> QHBoxLayout:
        copy = button(self.tr("Copy report"))
        copy.clicked.connect(self.copy)
        go_on = button(self.tr("Continue"), "primary")
        go_on.clicked.connect(self.accept)
        line = QHBoxLayout()
        line.addWidget(copy)
        line.addStretch(1)
        line.addWidget(go_on)
        return line
