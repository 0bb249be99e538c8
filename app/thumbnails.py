"""Thumbnails and captions for the screens: there at once, or loaded meanwhile."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from app.pictures import read_square, read_whole
from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task, Tell
from app.widgets.pixmap_cache import PixmapCache
from app.words import photo_caption
from core.domain.photo import Photo, PhotoId
from core.engine import Engine
from core.errors import DecodeError, NotInLibrary
from core.progress import Progress

_CACHE_BYTES = 192 * 1024 * 1024
_BATCH = 12
_TASKS = 2
_MOST_WAITING = 600
_MOST_CAPTIONS = 50_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture in a size: a square of `edge` pixels, or whole within it."""

    photo_id: PhotoId
    edge: int
    square: bool


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a worker read: the image is null where it could not."""

    wanted: Wanted
    image: QImage
    caption: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class _Known:
    caption: str
    path: Path | None


class Thumbnails(QObject):
    """A `PictureSource` over an engine; the newest wish is loaded first."""

    arrived = Signal(int)

    def __init__(self, engine: Engine, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._runner = engine, runner
        self._cache = PixmapCache(_CACHE_BYTES)
        self._known: OrderedDict[int, _Known] = OrderedDict()
        self._broken: set[int] = set()
        self._waiting: OrderedDict[Wanted, None] = OrderedDict()
        self._loading: set[Wanted] = set()
        self._tasks = 0
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._load)

    def pixmap(self, picture: int, edge: int) -> QPixmap | None:
        """A square picture, None while it loads or where it is broken."""
        return self._get(Wanted(PhotoId(picture), edge, square=True))

    def whole(self, picture: int, edge: int) -> QPixmap | None:
        """An uncropped picture with a long side of at most `edge`, None while it loads."""
        return self._get(Wanted(PhotoId(picture), edge, square=False))

    def caption(self, picture: int) -> str:
        """File name, date and place in words; empty while unknown."""
        known = self._known.get(picture)
        return known.caption if known else ""

    def path(self, picture: int) -> Path | None:
        """The photo's file, None while unknown."""
        known = self._known.get(picture)
        return known.path if known else None

    def is_broken(self, picture: int) -> bool:
        """Whether its picture could not be read."""
        return picture in self._broken

    def forget(self) -> None:
        """The library changed: read again what is asked for from now on."""
        self._cache.clear()
        self._known.clear()
        self._broken.clear()
        self._waiting.clear()

    def _get(self, wanted: Wanted) -> QPixmap | None:
        pixmap = self._cache.get(wanted)
        if pixmap is None and wanted.photo_id not in self._broken:
            self._want(wanted)
        return pixmap

    def _want(self, wanted: Wanted) -> None:
        if wanted in self._loading:
            return
        self._waiting[wanted] = None
        self._waiting.move_to_end(wanted)
        if len(self._waiting) > _MOST_WAITING:
            self._waiting.popitem(last=False)
        if not self._soon.isActive():
            self._soon.start()

    def _load(self) -> None:
        while self._waiting and self._tasks < _TASKS:
            count = min(_BATCH, len(self._waiting))
            batch = [self._waiting.popitem()[0] for _ in range(count)]
            self._loading.update(batch)
            self._tasks += 1
            task = Task(partial(_read_batch, self._engine, batch))
            task.told.connect(self._take)
            task.settled.connect(partial(self._settle, batch))
            self._runner.start(task, Lane.IO)

    def _take(self, loaded: Loaded) -> None:
        photo_id = loaded.wanted.photo_id
        self._loading.discard(loaded.wanted)
        self._known[photo_id] = _Known(loaded.caption, loaded.path)
        if len(self._known) > _MOST_CAPTIONS:
            self._known.popitem(last=False)
        if loaded.image.isNull():
            self._broken.add(photo_id)
        else:
            self._cache.put(loaded.wanted, QPixmap.fromImage(loaded.image))
        self.arrived.emit(photo_id)

    def _settle(self, batch: Sequence[Wanted], _task: Task) -> None:
        self._loading.difference_update(batch)
        self._tasks -= 1
        if self._waiting:
            self._soon.start()


def _read_batch(engine: Engine, batch: Sequence[Wanted], progress: Progress, tell: Tell) -> None:
    for wanted in batch:
        progress.check()
        tell(_read_one(engine, wanted, progress))


def _read_one(engine: Engine, wanted: Wanted, progress: Progress) -> Loaded:
    try:
        photo = engine.photos([wanted.photo_id])[0]
    except NotInLibrary:  # removed since it was asked for
        return Loaded(wanted, QImage(), "", None)
    return Loaded(wanted, _image(engine, photo, wanted, progress), photo_caption(photo), photo.path)


def _image(engine: Engine, photo: Photo, wanted: Wanted, progress: Progress) -> QImage:
    """The thumbnail in the wanted size; made anew where the library has lost it."""
    read = read_square if wanted.square else read_whole
    try:
        path = engine.thumbnail(photo) or engine.picture(photo, wanted.edge, progress)
    except DecodeError:
        return QImage()
    return read(path, wanted.edge)
