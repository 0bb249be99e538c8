"""What goes wrong while folders are watched, kept until somebody looks."""

import errno
import threading
from dataclasses import dataclass, field
from pathlib import Path

LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENOMEM)
"""How a system says that it watches no more."""


@dataclass(slots=True)
class Troubles:
    """Folders that were refused, and whether events were lost; safe across threads."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _refused: set[Path] = field(default_factory=set)
    _lost: bool = False

    def refused(self, folder: Path) -> None:
        """The system does not watch this folder."""
        with self._lock:
            self._refused.add(folder)

    def lost(self) -> None:
        """Events came faster than they were read."""
        with self._lock:
            self._lost = True

    def take_refused(self) -> set[Path]:
        """The folders refused since the last time."""
        with self._lock:
            taken, self._refused = self._refused, set()
        return taken

    def take_lost(self) -> bool:
        """Whether events were lost since the last time."""
        with self._lock:
            taken, self._lost = self._lost, False
        return taken
