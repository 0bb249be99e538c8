"""Shows what the runner does in the strip at the bottom."""

from PySide6.QtCore import QObject

from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task
from app.widgets.progress_strip import ProgressStrip
from app.words import count_in_words, stage_in_words
from core.progress import ProgressReport


class ProgressView(QObject):
    """The newest titled task is shown; when it ends, the one before it is shown again."""

    def __init__(self, strip: ProgressStrip, runner: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._strip, self._runner = strip, runner
        self._tasks: list[Task] = []
        runner.started.connect(self._begin)
        runner.settled.connect(self._end)
        strip.cancel_wanted.connect(self._cancel)

    def stop_query(self) -> bool:
        """Cancel the newest search or story that runs; False where none does."""
        running = [task for task in self._runner.running(Lane.QUERY) if task.title]
        waiting = [task for task in running if not task.progress.cancelled]
        if waiting:
            waiting[-1].cancel()
        return bool(waiting)

    def show_arriving(self, report: ProgressReport) -> None:
        """Show how far photos are that come by themselves, unless something else is shown."""
        if not self._tasks:
            done, total = count_in_words(report.done), count_in_words(report.total or 0)
            self._strip.tell(self.tr("Taking in new photos: {0} of {1}").format(done, total))

    def show_arrived(self, report: str) -> None:
        """Say for a moment what came, unless something else is shown."""
        if not self._tasks:
            self._strip.tell(report)

    def _begin(self, task: Task) -> None:
        if not task.title:
            return
        self._tasks.append(task)
        task.progressed.connect(self._advance)
        self._strip.begin(task.title)

    def _advance(self, report: ProgressReport) -> None:
        if not self._tasks or self.sender() is not self._tasks[-1]:
            return
        words = stage_in_words(report.stage)
        done = count_in_words(report.done)
        if report.total and report.total > 1:
            words = self.tr("{0}: {1} of {2}").format(words, done, count_in_words(report.total))
        elif report.done > 1:
            words = f"{words}: {done}"
        if report.detail:
            words = f"{words} · {report.detail}"
        total = report.total if report.total != 1 else None  # one thing is done or not
        self._strip.advance(words, report.done, total)

    def _end(self, task: Task) -> None:
        if task not in self._tasks:
            return
        self._tasks.remove(task)
        if self._tasks:
            self._strip.begin(self._tasks[-1].title)
        else:
            self._strip.end()

    def _cancel(self) -> None:
        if self._tasks:
            self._tasks[-1].cancel()
