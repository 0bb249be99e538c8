"""The strip at the bottom: what runs, how far it is, and a way to stop it."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from app.widgets.labels import button, plain_label

_STAYS_MS = 6_000


class ProgressStrip(QFrame):
    """Hidden while nothing runs."""

    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progressStrip")
        self._title = plain_label(role="heading")
        self._detail = plain_label(role="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(260)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._cancel = button(self.tr("Cancel"))
        self._cancel.setToolTip(self.tr("Stop this; what is done so far is kept"))
        self._cancel.clicked.connect(self._stop)
        line = QHBoxLayout(self)
        line.setContentsMargins(20, 8, 14, 8)
        line.setSpacing(14)
        line.addWidget(self._title)
        line.addWidget(self._detail, 1)
        line.addWidget(self._bar)
        line.addWidget(self._cancel)
        self._fading = QTimer(self, singleShot=True)
        self._fading.timeout.connect(self.hide)
        self.hide()

    @property
    def detail(self) -> str:
        """What is said of the progress."""
        return self._detail.text()

    def begin(self, title: str) -> None:
        """Show that something runs, of which no progress is known yet."""
        self._fading.stop()
        self._set_running(True)
        self._title.setText(title)
        self._detail.clear()
        self._bar.setRange(0, 0)
        self._cancel.setEnabled(True)
        self.show()

    def tell(self, text: str) -> None:
        """Say something for a moment: nothing that can be stopped."""
        self._title.clear()
        self._detail.setText(text)
        self._set_running(False)
        self.show()
        self._fading.start(_STAYS_MS)

    def advance(self, detail: str, done: int, total: int | None) -> None:
        """Show how far it is; `total` None where it is not known."""
        self._detail.setText(detail)
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done)

    def end(self) -> None:
        """Nothing runs any more."""
        self.hide()

    def _set_running(self, running: bool) -> None:
        for widget in (self._title, self._bar, self._cancel):
            widget.setVisible(running)

    def _stop(self) -> None:
        self._cancel.setEnabled(False)
        self._detail.setText(self.tr("Stopping…"))
        self.cancel_wanted.emit()
