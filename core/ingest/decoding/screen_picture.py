"""Pictures large enough to fill a screen, decoded where a hostile file can do no harm.

They are kept in a small cache of the library, by content, and the oldest make room. One process
decodes what a person looks at now; it is warm for the next picture, and killed where it hangs or
where the person has gone on.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.domain.photo import ContentHash, FileStamp
from core.errors import DecodeError, PhotoAppError
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Refused
from core.ingest.decoding.limits import decode_limits
from core.ingest.decoding.worker import DecodeFunction, Hashed, Ready
from core.ingest.decoding.worker_process import WorkerProcess
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import DecodeSettings

SIZES = (512, 1280, 2560, 4096)
"""Long sides that pictures are made in; a wish gets the next larger one."""

_MOST_BYTES = 256_000_000
_SQUARE = 8
"""The encoder's input comes with every decoding; here nobody looks at it."""

_ADVICE = "Other programs may be able to open it; it is left as it is."
_POLL_S = 0.05
_PATIENCE_S = 0.3
_START_PATIENCE_S = 2.0
"""A process that nobody waits for may finish, or start, in this time, so that it stays warm."""


class ScreenPictures:
    """Decodes one picture at a time; safe across threads, ended by `close`."""

    def __init__(
        self, library: LibraryPaths, settings: DecodeSettings, decode: DecodeFunction = decode_file
    ) -> None:
        self._library, self._settings, self._decode = library, settings, decode
        self._turn = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._size = 0

    def kept(self, content_hash: ContentHash, longest: int) -> Path | None:
        """The picture of a content with a long side of at least `longest`, None if not made yet."""
        path = self._folder(size_for(longest)).thumbnail(content_hash)
        try:
            os.utime(path)  # looked at last, thrown away last
        except OSError:
            return None
        return path

    def read(self, path: Path, longest: int, progress: Progress) -> Path:
        """Make the upright sRGB picture of a file and return where it is.

        Raises DecodeError, LibraryUnwritable, Cancelled.
        """
        size = size_for(longest)
        job = DecodeJob(_stamp(path), only_new=False)
        with self._my_turn(progress):
            outcome = self._outcome(self._warm(size), job, progress)
        if not isinstance(outcome, Decoded):
            detail = outcome.detail if isinstance(outcome, Refused) else ""
            raise DecodeError(f"{path.name} cannot be shown: {detail}.", _ADVICE)
        made = self._folder(size).thumbnail(outcome.content_hash)
        _make_room(self._library.pictures, made)
        return made

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _folder(self, size: int) -> LibraryPaths:
        return LibraryPaths(self._library.pictures / str(size))

    @contextmanager
    def _my_turn(self, progress: Progress) -> Iterator[None]:
        while not self._turn.acquire(timeout=_POLL_S):
            progress.check()
        try:
            yield
        finally:
            self._turn.release()

    def _warm(self, size: int) -> WorkerProcess:
        if self._worker is None or size != self._size:
            self._end()
            self._size = size
            self._worker = WorkerProcess(self._limits(size), self._decode)
        return self._worker

    def _limits(self, size: int) -> DecodeLimits:
        limits = decode_limits(self._folder(size), _SQUARE, self._settings)
        return replace(limits, thumbnail_px=size)

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _outcome(self, worker: WorkerProcess, job: DecodeJob, progress: Progress) -> object:
        """What the process says of a job; the process is ended where it says nothing in time."""
        answered = False
        worker.give(0, job)
        try:
            while not answered:
                if worker.connection.poll(_POLL_S):
                    message = worker.connection.recv()
                    answered = not self._go_on(worker, message)
                elif worker.is_overdue():
                    seconds = f"it took longer than {worker.timeout_s:.3g} s"
                    raise DecodeError(f"{job.stamp.path.name} cannot be shown: {seconds}.", _ADVICE)
                else:
                    self._look_up(worker, progress)
        except (EOFError, OSError) as error:
            how = worker.end(_PATIENCE_S)
            name = job.stamp.path.name
            raise DecodeError(f"{name} cannot be shown: {how}.", _ADVICE) from error
        finally:
            worker.take()
            if not answered:
                self._end()
        if isinstance(message, PhotoAppError):
            raise message
        return message

    def _look_up(self, worker: WorkerProcess, progress: Progress) -> None:
        """Stop where the person has gone on, unless the process is about to be of use."""
        patience = _PATIENCE_S if worker.ready else _START_PATIENCE_S
        if progress.cancelled and not worker.connection.poll(patience):
            progress.check()

    def _go_on(self, worker: WorkerProcess, message: object) -> bool:
        match message:
            case Ready():
                worker.restart_clock()
            case Hashed():
                worker.connection.send(False)
            case _:
                return False
        return True


def size_for(longest: int) -> int:
    """The smallest size that is large enough, else the largest."""
    return next((size for size in SIZES if size >= longest), SIZES[-1])


def _stamp(path: Path) -> FileStamp:
    try:
        facts = path.stat()
    except OSError as error:
        raise DecodeError(
            f"{path.name} is not there now: {(error.strerror or 'cannot be read').lower()}.",
            "Connect the disk that holds it.",
        ) from error
    return FileStamp(path, facts.st_size, facts.st_mtime_ns)


def _make_room(folder: Path, newest: Path) -> None:
    """Delete what was looked at longest ago while there is too much."""
    found = []
    for path in folder.rglob("*.jpg"):
        try:
            facts = path.stat()
        except OSError:
            continue  # another window made room too
        found.append((facts.st_mtime, facts.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= _MOST_BYTES:
            return
        if path != newest:
            path.unlink(missing_ok=True)
            total -= size
