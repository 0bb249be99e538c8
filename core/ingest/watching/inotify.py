"""Events of Linux, with what the library in between keeps to itself: refusals and losses.

Where the kernel's limit of watches is reached below a folder, or its queue has overflowed, changes
would go unseen in silence; both are told here. Hidden folders and our own take no watches.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify import InotifyEmitter
from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyEvent,
    InotifyFD,
    Mask,
    WatchCallback,
    WatchDescriptor,
)

from core.ingest.watching.troubles import LIMITS, Troubles


class _FrankInotify(InotifyFD):
    """An inotify instance that tells of what it could not watch."""

    def __init__(self, troubles: Troubles, wanted: Callable[[Path], bool]) -> None:
        super().__init__()
        self._troubles, self._wanted = troubles, wanted

    def add_callback(
        self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId
    ) -> WatchDescriptor:
        """Watch a folder; raises OSError, which is passed over below a watched root."""
        folder = Path(os.fsdecode(path))
        if not self._wanted(folder):
            raise OSError(errno.EPERM, "not to be watched")
        try:
            with self._lock:  # a folder may be met twice while it grows: that is no news
                watch = self._get_or_create_watch(path, mask)
                watch.callbacks[id_] = callback
                return watch.wd
        except OSError as error:
            if error.errno in LIMITS:
                self._troubles.refused(folder)
            raise

    def handle_event(self, event: InotifyEvent) -> None:
        """Pass on an event; one that tells of lost ones is told too."""
        super().handle_event(event)
        if event.is_queue_overflow:
            self._troubles.lost()


class InotifyObserver(BaseObserver):
    """Watches folders by events; its threads end with it. Raises OSError where refused."""

    def __init__(self, troubles: Troubles, wanted: Callable[[Path], bool]) -> None:
        self._inotify = _FrankInotify(troubles, wanted)
        self._inotify.start()
        super().__init__(InotifyEmitter, inotify_fd=self._inotify)

    def is_alive(self) -> bool:
        """Whether both threads run: without the one that reads events nothing is heard."""
        return super().is_alive() and self._inotify.is_alive()

    def on_thread_stop(self) -> None:
        """End the thread that reads events, too."""
        super().on_thread_stop()
        self._inotify.stop()
        self._inotify.join()
