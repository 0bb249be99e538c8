"""How one root is heard: by the system's events where it gives them, else by looking again."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers.api import BaseObserver

from core.ingest.watching.observers import event_observer, polling_observer, sends_no_events
from core.ingest.watching.sieve import Sieve
from core.ingest.watching.touches import EVENTS
from core.ingest.watching.troubles import LIMITS, Troubles
from core.settings import WatchSettings

_PATIENCE_S = 5.0
Hear = Callable[[FileSystemEvent, Sieve], None]


class WhyPolled(StrEnum):
    """Why a folder is looked at again and again instead of being heard of."""

    ASKED = "the settings ask for it"
    LIMIT = "the system's limit of watched folders is reached"
    NETWORK = "it lies on a network, which does not tell of all changes"
    REFUSED = "the system refuses to tell of changes"


@dataclass(frozen=True, slots=True)
class News:
    """What tending found: that all of a root must be looked at, and since when it is polled."""

    look: bool = False
    polled: WhyPolled | None = None


class Ear:
    """Hears of changes below one root, from `listen` to `close`; `hear` runs on other threads."""

    def __init__(self, sieve: Sieve, settings: WatchSettings, hear: Hear) -> None:
        self.sieve = sieve
        self._settings, self._hear = settings, hear
        self._troubles = Troubles()
        self._identity: tuple[int, int] | None = None
        self._observer: BaseObserver | None = None
        self._closing = threading.Event()

    def listen(self) -> WhyPolled | None:
        """Begin to listen, if the root is there; says why if it is polled."""
        root = self.sieve.root
        self._identity = _identity(root)
        if self._identity is None:
            return None
        why = self._cause_to_poll(root) or self._by_events()
        if why is not None:
            self._by_polling()
        return why

    def tend(self) -> News:
        """Notice roots that went, came back or were replaced, refusals and lost events."""
        if _identity(self.sieve.root) != self._identity or self._is_deaf():
            self.close()
            return News(True, self.listen())
        if self._troubles.take_refused():
            self.close()
            self._by_polling()
            return News(True, WhyPolled.LIMIT)
        return News(self._troubles.take_lost())

    def close(self) -> None:
        """Hear no more; threads end."""
        self._closing.set()
        observer, self._observer = self._observer, None
        if observer is not None and observer.ident is not None:
            observer.stop()
            observer.join(_PATIENCE_S)
        self._closing = threading.Event()

    def _cause_to_poll(self, root: Path) -> WhyPolled | None:
        if self._settings.polling:
            return WhyPolled.ASKED
        return WhyPolled.NETWORK if sends_no_events(root) else None

    def _by_events(self) -> WhyPolled | None:
        """Listen to events; says why not where the system refuses."""
        try:
            self._start(event_observer(self._troubles, self.sieve.passes_folder))
        except OSError as error:
            self.close()
            self._troubles.take_refused()  # the same, told twice
            return WhyPolled.LIMIT if error.errno in LIMITS else WhyPolled.REFUSED
        if self._troubles.take_refused():  # folders below it
            self.close()
            return WhyPolled.LIMIT
        return None

    def _by_polling(self) -> None:
        closing = self._closing
        self._start(polling_observer(self.sieve, self._settings.poll_s, closing.is_set))

    def _start(self, observer: BaseObserver) -> None:
        """Start an observer over the root; raises OSError."""
        self._observer = observer
        observer.start()
        handler = _Handler(self.sieve, self._hear)
        observer.schedule(handler, str(self.sieve.root), recursive=True, event_filter=list(EVENTS))

    def _is_deaf(self) -> bool:
        """Whether the threads that listen have ended by themselves, as when a root goes."""
        if self._observer is None:
            return False
        emitters = self._observer.emitters
        if not self._observer.is_alive():
            return True
        return not emitters or not all(emitter.is_alive() for emitter in emitters)


class _Handler(FileSystemEventHandler):
    """Passes on every event with the sieve of its root."""

    def __init__(self, sieve: Sieve, hear: Hear) -> None:
        self._sieve, self._hear = sieve, hear

    def dispatch(self, event: FileSystemEvent) -> None:
        """Pass on an event; called on the observer's thread."""
        self._hear(event, self._sieve)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Device and inode of a folder, None where it is not there or not in reach."""
    try:
        seen = folder.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino
