"""The two ways to hear of changes: by the system's events, and by looking again and again."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserverVFS

from core.ingest.watching.sieve import Sieve
from core.ingest.watching.troubles import Troubles

if sys.platform == "linux":
    from core.ingest.watching.inotify import InotifyObserver

    def event_observer(troubles: Troubles, wanted: Callable[[Path], bool]) -> BaseObserver:
        """The system's own events; raises OSError where it refuses. Not yet started."""
        return InotifyObserver(troubles, wanted)
else:
    from watchdog.observers import Observer

    def event_observer(troubles: Troubles, wanted: Callable[[Path], bool]) -> BaseObserver:
        """The system's own events; raises OSError where it refuses. Not yet started."""
        return Observer()


_NETWORK = ("nfs", "cifs", "smb", "afp", "9p", "ceph", "gluster", "lustre", "davfs", "vmhgfs",
            "vboxsf", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd", "fuse.davfs",
            "fuse.cifs", "fuse.smb", "webdav", "virtiofs", "drvfs", "prl_fs")  # fmt: skip
"""Beginnings of the names of file systems whose other users' changes send no events."""


def polling_observer(sieve: Sieve, seconds: float, closing: Callable[[], bool]) -> BaseObserver:
    """Lists the folders below one root every so many seconds. Not yet started."""

    def entries(folder: str | None) -> Iterator[os.DirEntry[str]]:
        if closing():
            raise FileNotFoundError  # ends a look that nobody waits for
        return sieve.entries(folder)

    return PollingObserverVFS(os.lstat, entries, polling_interval=seconds)


def sends_no_events(folder: Path) -> bool:
    """Whether a folder lies on a file system that others change without our hearing of it."""
    return file_system(folder).startswith(_NETWORK)


def file_system(folder: Path) -> str:
    """The name of the kind of file system that holds a folder, "" where it is not known."""
    real = Path(os.path.realpath(folder))
    mounted = [
        (len(part.mountpoint), part.fstype)
        for part in psutil.disk_partitions(all=True)
        if real.is_relative_to(part.mountpoint)
    ]
    return max(mounted, default=(0, ""))[1].lower()
