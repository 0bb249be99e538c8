"""What the search screen asks of the engine: answers, and judgements on them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.pictures import read_square
from app.search.bar import Chosen
from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task, Tell
from core.domain.answer import SearchAnswer
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId, ReferencePhoto
from core.engine import Engine
from core.errors import DecodeError
from core.progress import Progress
from core.search.request import SearchOptions

_WELL_EDGE = 128


class SearchController(QObject):
    """One search at a time: a new one replaces the one before."""

    begun = Signal()
    answered = Signal(object)
    ended = Signal(bool)
    reference_read = Signal(object)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner
        self._latest: Task | None = None

    def search(self, text: str, reference: Chosen | None) -> Task:
        """Answer a query: `answered` comes with the first answer, and again with the final one."""
        task = Task(partial(_search, self._engine, text, reference), self.tr("Searching"))
        task.told.connect(self.answered)
        task.succeeded.connect(self.answered)
        task.settled.connect(self._settle)
        self._latest = task
        self.begun.emit()
        return self._runner.start(task, Lane.QUERY, replaces="search")

    def stop(self) -> None:
        """Stop the search; what it has shown so far stays."""
        self._runner.cancel("search")

    def read_reference(self, chosen: Chosen) -> None:
        """Read the picture of a dropped file; `reference_read` brings it."""
        path = chosen.path
        if path is not None:
            task = Task(partial(_read_file, self._engine, path))
            task.succeeded.connect(self.reference_read)
            self._runner.start(task, Lane.IO, replaces="reference")

    def judge(self, query_id: QueryId, pictures: Sequence[int], right: bool) -> None:
        """Keep the user's word on some photos of an answer."""
        ids = [PhotoId(picture) for picture in pictures]
        task = Task(lambda progress, tell: _judge(self._engine, query_id, ids, right))
        self._runner.start(task, Lane.LIBRARY)

    def _settle(self, task: Task) -> None:
        if task is self._latest:  # a replaced search says nothing about the one that runs
            self._latest = None
            self.ended.emit(task.progress.cancelled)


def _search(
    engine: Engine, text: str, chosen: Chosen | None, progress: Progress, tell: Tell
) -> SearchAnswer:
    reference = None if chosen is None else _reference(engine, chosen)
    query = ComposedQuery(text, reference)
    return engine.search(query, SearchOptions(), progress, on_first=tell)


def _read_file(engine: Engine, path: Path, progress: Progress, tell: Tell) -> QImage:
    try:
        return read_square(engine.picture_at(path, _WELL_EDGE, progress), _WELL_EDGE)
    except DecodeError:  # the search itself will say so
        return QImage()


def _reference(engine: Engine, chosen: Chosen) -> ReferencePhoto | None:
    if chosen.picture is not None:
        photo = engine.photos([PhotoId(chosen.picture)])[0]
        return ReferencePhoto(photo.path, photo.id)
    return None if chosen.path is None else ReferencePhoto(chosen.path)


def _judge(engine: Engine, query_id: QueryId, ids: Sequence[PhotoId], right: bool) -> None:
    paths = [photo.path for photo in engine.photos(ids)]
    engine.judge(query_id, paths if right else [], [] if right else paths)
