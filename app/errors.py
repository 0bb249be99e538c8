"""How errors reach the user: known ones with advice, all others with a report."""

import logging
import platform
import sys
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, qVersion
from PySide6.QtWidgets import QWidget

from app.startup import version
from app.widgets.message_bar import MessageBar, MessageKind
from app.widgets.report_dialog import ReportDialog
from core.errors import Cancelled, LibraryEmpty, PhotoAppError

_log = logging.getLogger(__name__)


class ErrorPresenter(QObject):
    """A `PhotoAppError` goes to the message bar, `Cancelled` nowhere, the rest to a dialog."""

    def __init__(self, bar: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._bar, self._window = bar, window
        self.dialog: ReportDialog | None = None

    def show(self, error: BaseException) -> None:
        """Show an error as its kind demands."""
        if isinstance(error, Cancelled):
            return
        if isinstance(error, PhotoAppError):
            self._bar.tell(error.message, self._advice(error), MessageKind.ERROR)
            return
        _log.error("unexpected error", exc_info=error)
        if self.dialog is None or not self.dialog.isVisible():  # one dialog, not a thousand
            self.dialog = ReportDialog(crash_report(error), self._window)
            self.dialog.open()

    def _advice(self, error: PhotoAppError) -> str:
        """What to do in the window, where the error speaks of the command line."""
        if isinstance(error, LibraryEmpty) and "`" in error.advice:
            return self.tr("Add a folder of photos first (Ctrl+O).")
        return error.advice

    def watch_uncaught(self) -> None:
        """Show what no slot has caught, too."""
        sys.excepthook = self._uncaught

    def _uncaught(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
        else:
            self.show(error.with_traceback(trace))


def crash_report(error: BaseException) -> str:
    """What developers need: versions and the trace, nothing of the user's photos."""
    versions = (
        f"photoapp {version()}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
    )
    return "\n".join((*versions, "", *traceback.format_exception(error)))
