"""How a library's file is opened: for writing where that is possible, else for reading alone."""

import os
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.store.failures import primary_code

BUSY_TIMEOUT_S = 60.0
"""How long a writer waits for another before it gives up."""

_LARGEST_LEFT_LOG = 64_000_000
_NETWORK = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "fuse.rclone", "afpfs", "webdav", "davfs")
_NO_MEMORY_MAP = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL}


@dataclass(frozen=True, slots=True)
class Access:
    """How a library's file is opened; `note` says why not in the usual way."""

    uri: str
    writable: bool
    journal: str
    note: str = ""


def connect(access: Access, timeout_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """A connection in autocommit mode, which any thread may use; raises sqlite3.Error."""
    connection = sqlite3.connect(
        access.uri, uri=True, timeout=timeout_s, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: what was committed outlives a power cut; one flush a transaction
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_LEFT_LOG:d}")
    if not access.writable:
        connection.execute("PRAGMA query_only = ON")
    return connection


def file_uri(path: Path) -> str:
    """The address by which SQLite opens a file, whatever signs its name holds."""
    uri = path.absolute().as_uri()
    host = path.absolute().drive.startswith("\\\\")
    return f"file://{uri.removeprefix('file:')}" if host else uri


def open_for_writing(path: Path) -> Access:
    """Make the file where there is none, and choose its journal.

    A write-ahead log lets readers and the writer work side by side. It needs memory shared
    between processes, which folders on a network do not offer: there the journal is rolled back.
    Raises PermissionError where file or folder may not be written, sqlite3.Error.
    """
    if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise PermissionError(13, "it may only be read", str(path))
    uri, remote = file_uri(path), is_on_network(path.parent)
    journal = _set_journal(uri, "truncate" if remote else "wal")
    if journal == "wal":
        return Access(uri, True, journal)
    why = "the folder is on a network" if remote else "the file system refuses a write-ahead log"
    return Access(uri, True, journal, f"{why}: readers and the writer wait for each other")


def _set_journal(uri: str, wanted: str) -> str:
    """The journal that SQLite grants; waits for other processes that open the file just now."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            return _ask_for_journal(uri, wanted)
        except sqlite3.OperationalError as error:
            if primary_code(error) in _NO_MEMORY_MAP:
                return _leave_log(uri)
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.05)


def _ask_for_journal(uri: str, wanted: str) -> str:
    with closing(_bare(uri)) as connection:
        granted = str(connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()[0])
        if granted == "delete":  # where the system of files has no memory to share
            granted = str(connection.execute("PRAGMA journal_mode = truncate").fetchone()[0])
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        return granted


def _leave_log(uri: str) -> str:
    """Give up the write-ahead log of a file that was carried to where none can be."""
    with closing(_bare(uri)) as connection:
        connection.execute("PRAGMA locking_mode = exclusive")
        return str(connection.execute("PRAGMA journal_mode = truncate").fetchone()[0])


def _bare(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)


def open_for_reading(path: Path) -> Access:
    """A way to read a file that may not be written; raises sqlite3.Error where there is none."""
    note = "it may only be read: nothing is kept, not even searches"
    usual = Access(f"{file_uri(path)}?mode=ro", False, "wal", note)
    try:
        _try(usual)
    except sqlite3.OperationalError:
        if not _is_left_alone(path):
            raise
        usual = Access(f"{file_uri(path)}?immutable=1", False, "none", note)
        _try(usual)
    return usual


def _try(access: Access) -> None:
    with closing(connect(access)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _is_left_alone(path: Path) -> bool:
    """Whether nobody here can change the file, and no log holds what it lacks."""
    log = path.with_name(f"{path.name}-wal")
    return not os.access(path.parent, os.W_OK) and not (log.exists() and log.stat().st_size)


def is_on_network(folder: Path) -> bool:
    """Whether a folder lies on another computer, as far as the system tells."""
    folder = folder.resolve()
    mounts = [
        (len(part.mountpoint), part)
        for part in psutil.disk_partitions(all=True)
        if folder.is_relative_to(part.mountpoint)
    ]
    if not mounts:
        return folder.drive.startswith("\\\\")
    kind, options = (mount := max(mounts, key=lambda pair: pair[0])[1]).fstype, mount.opts
    return kind.lower().startswith(_NETWORK) or "remote" in options.split(",")
