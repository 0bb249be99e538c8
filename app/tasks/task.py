"""One piece of work off the GUI thread, and how it ended."""

from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.tasks.mailbox import Letter
from app.tasks.patience import PatientProgress
from core.errors import Cancelled
from core.progress import Progress, ProgressReport

Tell = Callable[[object], None]
Work = Callable[[Progress, Tell], object]


class Outcome(Enum):
    """How a task ended; PENDING until it has settled."""

    PENDING = auto()
    SUCCEEDED = auto()
    FAILED = auto()
    CANCELLED = auto()


class Task(QObject):
    """Work that runs on a worker thread and settles exactly once, on the GUI thread.

    `work(progress, tell)` may call `tell(value)` for early results, which arrive as `told`.
    After `cancel()` a task never succeeds and never fails: it settles as cancelled.
    """

    progressed = Signal(object)
    told = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    settled = Signal(object)

    def __init__(self, work: Work, title: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.outcome = Outcome.PENDING
        self.error: BaseException | None = None
        self.progress = PatientProgress(self._hear)
        self._work = work
        self._future: Future[object] | None = None
        self._post: Callable[[Letter], None] = _run_now

    @property
    def pending(self) -> bool:
        """Whether the task has still to settle."""
        return self.outcome is Outcome.PENDING

    @property
    def future(self) -> Future[object] | None:
        """Ends with the work; None before it was started."""
        return self._future

    def cancel(self) -> None:
        """Ask the work to stop; it settles as cancelled as soon as its worker lets go."""
        self.progress.cancel()
        if self._future is not None:
            self._future.cancel()

    def follow(self, future: Future[object], post: Callable[[Letter], None]) -> None:
        """Settle when `future` ends; `post` brings calls to the GUI thread. For the runner."""
        self._future = future
        future.add_done_callback(lambda ended: post(partial(self._settle, ended)))

    def run(self, post: Callable[[Letter], None]) -> object:
        """Do the work; called by the runner on a worker thread."""
        self._post = post
        self.progress.check()
        return self._work(self.progress, self._tell)

    def _hear(self, report: ProgressReport) -> None:
        self._post(partial(self._relay, self.progressed.emit, report))

    def _tell(self, value: object) -> None:
        self.progress.check()
        self._post(partial(self._relay, self.told.emit, value))

    def _relay(self, emit: Callable[[object], None], value: object) -> None:
        if self.pending and not self.progress.cancelled:
            emit(value)

    def _settle(self, ended: Future[object]) -> None:
        error = None if ended.cancelled() else ended.exception()
        if ended.cancelled() or self.progress.cancelled or isinstance(error, Cancelled):
            self.outcome = Outcome.CANCELLED
            self.cancelled.emit()
        elif error is not None:
            self.outcome, self.error = Outcome.FAILED, error
            self.failed.emit(error)
        else:
            self.outcome = Outcome.SUCCEEDED
            self.succeeded.emit(ended.result())
        self.settled.emit(self)


def _run_now(letter: Letter) -> None:
    letter()
