"""What the library screen asks of the engine: the timeline, and indexing."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.library.item_model import TimelineContent, prepare
from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task
from core.domain.problem import Problem
from core.domain.report import IndexReport
from core.engine import Engine
from core.ingest.folders.retry import retry_options
from core.ingest.pipeline import USUAL
from core.progress import Progress

_REFRESH_MS = 3000
_REST_PER_LOAD = 10
"""While indexing, the timeline rests ten times as long as it took to load."""


@dataclass(frozen=True, slots=True)
class LibraryContent:
    """What the library screen shows: the timeline, the folders (True: offline), the problems."""

    timeline: TimelineContent
    folders: dict[Path, bool]
    problems: tuple[Problem, ...]


class LibraryController(QObject):
    """Loads the timeline off the GUI thread; indexes in the lane of all writes."""

    loaded = Signal(object)
    indexed = Signal(object)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner
        self._folders: tuple[Path, ...] = ()
        self._load_started = 0.0
        self._while_indexing = QTimer(self, interval=_REFRESH_MS)
        self._while_indexing.timeout.connect(self.load)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The library's folders as last loaded."""
        return self._folders

    def load(self) -> None:
        """Load the timeline anew."""
        self._load_started = time.monotonic()
        task = Task(lambda progress, tell: _load(self._engine))
        task.succeeded.connect(self._show)
        self._runner.start(task, Lane.QUERY, replaces="timeline")

    def load_now_and_then(self) -> None:
        """Load the timeline anew unless that was done just now."""
        if time.monotonic() - self._load_started > self._while_indexing.interval() / 1000:
            self.load()

    def index(self, folders: Sequence[Path]) -> Task:
        """Take the photos below the folders into the library."""
        chosen = tuple(folders)
        return self._run(lambda progress: self._engine.index(chosen, progress))

    def retry_problems(self) -> Task:
        """Read the files again that had a problem."""
        return self._run(self._retry)

    def _retry(self, progress: Progress) -> IndexReport:
        again = retry_options(self._engine.library)
        return self._engine.index((), progress, USUAL if again is None else again)

    def _run(self, index: Callable[[Progress], IndexReport]) -> Task:
        task = Task(lambda progress, tell: index(progress), self.tr("Adding photos"))
        task.succeeded.connect(self.indexed)
        task.settled.connect(self._settle)
        self._while_indexing.start()
        return self._runner.start(task, Lane.LIBRARY)

    def index_again(self) -> Task | None:
        """Look for changes in the folders of the library; None where it has none."""
        return self.index(self._folders) if self._folders else None

    def _show(self, content: LibraryContent) -> None:
        spent_ms = round((time.monotonic() - self._load_started) * 1000)
        self._while_indexing.setInterval(max(_REFRESH_MS, spent_ms * _REST_PER_LOAD))
        self._folders = tuple(content.folders)
        self.loaded.emit(content)

    def _settle(self) -> None:
        if not self._runner.running(Lane.LIBRARY):
            self._while_indexing.stop()
        self.load()


def _load(engine: Engine) -> LibraryContent:
    return LibraryContent(prepare(engine.timeline()), engine.roots(), tuple(engine.problems()))
