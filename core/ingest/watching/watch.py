"""Watches folders until it is told to stop, and has what changed indexed."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.domain.report import IndexReport
from core.errors import InputError, PhotoAppError
from core.ingest.watching.debounce import Changes
from core.ingest.watching.watcher import FolderWatcher, Polled
from core.progress import Progress

EVERYTHING = Changes(())
"""The first look: nobody knows what changed while nobody watched."""

_LOOK_S = 0.2
_TEND_S = 2.0
_RETRY_S = 30.0


@dataclass(frozen=True, slots=True)
class Arriving:
    """Changes are about to be read."""

    changes: Changes


WatchEvent = Arriving | IndexReport | Polled | PhotoAppError
Tell = Callable[[WatchEvent], None]
IndexChanges = Callable[[Changes], IndexReport]


def watch_folders(
    watcher: FolderWatcher,
    index: IndexChanges,
    tell: Tell,
    progress: Progress,
) -> None:
    """Index everything, then what changes, until `progress` is cancelled.

    What comes while a batch is indexed waits for the next one. Where the library cannot be written
    now, that is told and the changes are tried again later. Raises InputError, Cancelled.
    """
    with watcher:
        pending: Changes | None = EVERYTHING
        tended = 0.0
        while True:
            if pending is not None:
                _try(pending, watcher, index, tell, progress)
            if time.monotonic() - tended > _TEND_S:
                tended = time.monotonic()
                for polled in watcher.tend():
                    tell(polled)
            _rest(_LOOK_S, progress)
            pending = watcher.take()


def _try(
    changes: Changes, watcher: FolderWatcher, index: IndexChanges, tell: Tell, progress: Progress
) -> None:
    tell(Arriving(changes))
    try:
        report = index(changes)
    except InputError:
        raise
    except PhotoAppError as error:
        tell(error)
        _rest(_RETRY_S, progress)
        watcher.touch_again(changes)
    else:
        tell(report)


def _rest(seconds: float, progress: Progress) -> None:
    """Sleep, ready to be cancelled; raises Cancelled."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        progress.check()
        time.sleep(min(left, _LOOK_S))
    progress.check()
