"""Photos that come by themselves: taken in while folders are watched, and said quietly."""

from PySide6.QtCore import QObject

from app.errors import ErrorPresenter
from app.library.controller import LibraryContent, LibraryController
from app.library.report import polled_in_words, report_in_words
from app.library.watching import WatchController
from app.progress_view import ProgressView
from app.widgets.message_bar import MessageBar
from core.domain.report import IndexReport
from core.ingest.watching.watcher import Polled
from core.progress import ProgressReport


class Arrivals(QObject):
    """Has the folders that the library shows watched, and tells of what comes."""

    def __init__(
        self,
        watching: WatchController,
        library: LibraryController,
        progress: ProgressView,
        messages: MessageBar,
        errors: ErrorPresenter,
    ) -> None:
        super().__init__(watching)
        self._watching, self._library = watching, library
        self._progress, self._messages = progress, messages
        library.loaded.connect(self._watch)
        watching.reading.connect(self._show)
        watching.arrived.connect(self._tell)
        watching.polled.connect(self._tell_polled)
        watching.troubled.connect(errors.show)

    def _watch(self, content: LibraryContent) -> None:
        self._watching.watch(content.folders)

    def _show(self, report: ProgressReport) -> None:
        self._progress.show_arriving(report)
        self._library.load_now_and_then()

    def _tell(self, report: IndexReport) -> None:
        if report.touched:
            self._progress.show_arrived(report_in_words(report)[0])

    def _tell_polled(self, polled: Polled) -> None:
        self._messages.tell(*polled_in_words(polled))
