"""What the story screen asks of the engine."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task, Tell
from core.domain.photo import Photo, PhotoId
from core.domain.story import StoryAnswer, StoryBrief
from core.engine import Engine
from core.progress import Progress
from core.story.options import StoryOptions


@dataclass(frozen=True, slots=True)
class ToldStory:
    """An answer with the facts of every photo in it."""

    answer: StoryAnswer
    photos: dict[PhotoId, Photo]


class StoryController(QObject):
    """One story at a time: a new brief replaces the one before."""

    begun = Signal()
    told = Signal(object)
    ended = Signal(bool)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner
        self._latest: Task | None = None

    def compose(self, text: str) -> Task:
        """Compose stories for a brief."""
        task = Task(partial(_compose, self._engine, text), self.tr("Composing a story"))
        task.succeeded.connect(self.told)
        task.settled.connect(self._settle)
        self._latest = task
        self.begun.emit()
        return self._runner.start(task, Lane.QUERY, replaces="story")

    def stop(self) -> None:
        """Stop composing."""
        self._runner.cancel("story")

    def _settle(self, task: Task) -> None:
        if task is self._latest:  # a replaced story says nothing about the one that runs
            self._latest = None
            self.ended.emit(task.progress.cancelled)


def _compose(engine: Engine, text: str, progress: Progress, tell: Tell) -> ToldStory:
    answer = engine.compose_story(StoryBrief(text), StoryOptions(), progress)
    ids = {roled.photo_id for bundle in answer.bundles for roled in bundle.photos}
    return ToldStory(answer, {photo.id: photo for photo in engine.photos(sorted(ids))})
