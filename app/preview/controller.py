"""What the preview asks of the engine: a photo's facts, and its picture in full size."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.pictures import read_whole
from app.preview.facts import PhotoDetails
from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task, Tell
from core.domain.photo import PhotoId
from core.engine import Engine
from core.errors import DecodeError
from core.progress import Progress


@dataclass(frozen=True, slots=True)
class LargePicture:
    """A photo read for the screen; `fault` says why it could not be, the image is null then."""

    photo_id: PhotoId
    image: QImage
    fault: str = ""


class PreviewController(QObject):
    """Only the photo that is shown last counts."""

    details_read = Signal(object)
    picture_read = Signal(object)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner

    def read(self, picture: int, edge: int) -> None:
        """Read a photo's facts, then its picture with a long side of at most `edge` pixels."""
        photo_id = PhotoId(picture)
        facts = Task(lambda progress, tell: _details(self._engine, photo_id))
        facts.succeeded.connect(self.details_read)
        self._runner.start(facts, Lane.QUERY, replaces="preview facts")
        large = Task(partial(_picture, self._engine, photo_id, edge))
        large.succeeded.connect(self.picture_read)
        self._runner.start(large, Lane.IO, replaces="preview picture")


def _details(engine: Engine, photo_id: PhotoId) -> PhotoDetails:
    return PhotoDetails(engine.photos([photo_id])[0], engine.profile(photo_id))


def _picture(
    engine: Engine, photo_id: PhotoId, edge: int, progress: Progress, tell: Tell
) -> LargePicture:
    photo = engine.photos([photo_id])[0]
    try:
        path = engine.picture(photo, edge, progress)
    except DecodeError as error:
        return LargePicture(photo_id, QImage(), error.message)
    return LargePicture(photo_id, read_whole(path, edge))
