"""What leaves the library, and what is taken back, asked of the engine off the GUI thread."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task
from core.domain.photo import PhotoId
from core.engine import Engine
from core.export.copies import ExportOptions
from core.export.trash import files_to_trash
from core.progress import Progress

Verb = Callable[[Progress], object]


class OutgoingController(QObject):
    """Copies beside everything else; what writes goes into the lane of all writes."""

    exported = Signal(object)
    sidecars_written = Signal(object)
    trash_counted = Signal(object)
    trashed = Signal(object)
    undone = Signal(object)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner

    def export(self, ids: Sequence[PhotoId], folder: Path, options: ExportOptions) -> Task:
        """Copy photos into a folder."""
        return self._start(
            lambda progress: self._engine.export(ids, folder, options, progress),
            self.tr("Copying photos"),
            self.exported,
            Lane.IO,
        )

    def write_sidecars(self, ids: Sequence[PhotoId]) -> Task:
        """Write what is known of photos beside them."""
        return self._start(
            lambda progress: self._engine.write_sidecars(ids, progress),
            self.tr("Writing sidecars"),
            self.sidecars_written,
            Lane.LIBRARY,
        )

    def count_trash(self, ids: Sequence[PhotoId]) -> Task:
        """Find every file that would go to the trash with some photos."""
        return self._start(
            lambda progress: files_to_trash(self._engine.library, ids),
            "",
            self.trash_counted,
            Lane.QUERY,
        )

    def trash(self, ids: Sequence[PhotoId]) -> Task:
        """Move photos to the system's trash."""
        return self._start(
            lambda progress: self._engine.trash(ids, progress),
            self.tr("Moving to the trash"),
            self.trashed,
            Lane.LIBRARY,
        )

    def undo(self) -> Task:
        """Take the newest decision back."""
        return self._start(self._engine.undo, self.tr("Undoing"), self.undone, Lane.LIBRARY)

    def _start(self, verb: Verb, title: str, done: object, lane: Lane) -> Task:
        task = Task(lambda progress, tell: verb(progress), title)
        task.succeeded.connect(done)
        return self._runner.start(task, lane)
