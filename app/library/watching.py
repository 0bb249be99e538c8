"""Watches the library's folders while the window is open, and says quietly what comes."""

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task
from core.domain.report import IndexReport
from core.engine import Engine
from core.errors import PhotoAppError
from core.ingest.watching.watch import WatchEvent
from core.ingest.watching.watcher import Polled
from core.progress import ProgressReport


class WatchController(QObject):
    """One task in the background for as long as the window is open; gives way to searches.

    `reading` tells how far a batch is, `arrived` what came of it; `polled` and `troubled` what
    the user should know, once each.
    """

    reading = Signal(object)
    arrived = Signal(object)
    polled = Signal(object)
    troubled = Signal(object)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner
        self._folders: frozenset[Path] = frozenset()
        self._told: set[object] = set()

    def watch(self, folders: Collection[Path]) -> None:
        """Watch these folders from now on; those watched already go on undisturbed.

        A library that cannot be written takes nothing in, and so watches nothing.
        """
        wanted = frozenset(folders)
        if wanted == self._folders or not self._may_watch():
            return
        self._folders = wanted
        self._runner.cancel("watch")
        if not wanted:
            return
        task = Task(lambda progress, tell: self._engine.watch(sorted(wanted), tell, progress))
        task.told.connect(self._hear)
        task.progressed.connect(self._advance)
        self._runner.start(task, Lane.BACKGROUND, replaces="watch")

    def _may_watch(self) -> bool:
        return self._engine.settings.watch.enabled and self._engine.library.database.writable

    def _hear(self, event: WatchEvent) -> None:
        match event:
            case IndexReport():
                self.arrived.emit(event)
            case Polled() if self._is_news((event.root, event.why)):
                self.polled.emit(event)
            case PhotoAppError() if self._is_news(event.message):
                self.troubled.emit(event)

    def _advance(self, report: ProgressReport) -> None:
        if report.stage == "read" and report.total:
            self.reading.emit(report)

    def _is_news(self, what: object) -> bool:
        news = what not in self._told
        self._told.add(what)
        return news
