"""Watches several roots: what is heard of any of them is gathered until it is ripe."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from watchdog.events import FileSystemEvent

from core.ingest.watching.debounce import Changes, Debouncer, Stamp
from core.ingest.watching.ear import Ear, WhyPolled
from core.ingest.watching.seldom import SeldomLog
from core.ingest.watching.sieve import Sieve
from core.ingest.watching.touches import touched_by
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Polled:
    """A folder that is looked at every so many seconds, and why."""

    root: Path
    why: WhyPolled
    seconds: float


class FolderWatcher:
    """Hears of changes below `roots` while it is entered; `take` gives what is ripe.

    Safe across threads: changes are heard on others while one takes and tends.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        settings: Settings,
        excluded: Sequence[Path] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        watch = settings.watch
        self._settings, self._clock = watch, clock
        self._debouncer = Debouncer(watch.quiet_s, watch.longest_s)
        self._lock = threading.Lock()
        self._log = SeldomLog(logging.getLogger(__name__), clock)
        sieves = [Sieve(root, settings.scan, watch.partial, tuple(excluded)) for root in roots]
        self._ears = [Ear(sieve, watch, self._hear) for sieve in sieves]
        self._polled: list[Polled] = []
        logging.getLogger("watchdog").addHandler(logging.NullHandler())  # it would name folders

    def __enter__(self) -> "FolderWatcher":
        for ear in self._ears:
            self._note(ear, ear.listen())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for ear in self._ears:
            ear.close()

    def tend(self) -> list[Polled]:
        """Look after the roots themselves; returns those that are polled from now on."""
        for ear in self._ears:
            news = ear.tend()
            if news.look:
                self._log.info("a watched folder is looked at as a whole")
                self.touch(ear.sieve.root, deep=True)
            self._note(ear, news.polled)
        polled, self._polled = self._polled, []
        return polled

    def touch(self, folder: Path, *, deep: bool) -> None:
        """Have a folder looked at with the next batch."""
        with self._lock:
            self._debouncer.touch(folder, self._clock(), deep=deep)

    def touch_again(self, changes: Changes) -> None:
        """Have a batch that came to nothing looked at with the next one."""
        for change in changes.folders:
            self.touch(change.folder, deep=change.deep)
        if not changes.folders:
            for ear in self._ears:
                self.touch(ear.sieve.root, deep=True)

    def take(self) -> Changes | None:
        """What is ripe to be looked at, None where nothing is."""
        with self._lock:
            return self._debouncer.take(self._clock(), stamp_of)

    def _hear(self, event: FileSystemEvent, sieve: Sieve) -> None:
        for touched in touched_by(event, sieve):
            if touched.is_folder:
                self.touch(touched.path, deep=True)
                continue
            stamp = stamp_of(touched.path)
            with self._lock:
                self._debouncer.touch_file(touched.path, stamp, self._clock())

    def _note(self, ear: Ear, why: WhyPolled | None) -> None:
        if why is not None:
            self._log.info(f"a folder is polled: {why.name.lower()}")
            self._polled.append(Polled(ear.sieve.root, why, self._settings.poll_s))


def stamp_of(path: Path) -> Stamp:
    """Size and time of a file as it is now, None where it is not there."""
    try:
        seen = path.lstat()
    except OSError:
        return None
    return seen.st_size, seen.st_mtime_ns
