"""Walks a folder: every visible file in the order of its path's bytes, every trouble named."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.photo import FileStamp
from core.domain.problem import ProblemReason
from core.ingest.sniff import Sniffed, sniff_file
from core.settings import DecodeSettings, ScanSettings


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the walk; `trouble` says why it (or a folder of that path) cannot be read."""

    stamp: FileStamp
    trouble: ProblemReason | None = None
    detail: str = ""


@dataclass(slots=True)
class Walk:
    """One walk below a root; `unread` are folders that could not be listed.

    The order is that of the bytes of the full paths, so that it can be merged with the library's
    own. A folder is entered once, however many links lead to it: loops end. `excluded` folders
    (the library's own) are never entered.
    """

    root: Path
    settings: ScanSettings
    excluded: tuple[Path, ...] = ()
    unread: list[Path] = field(default_factory=list)
    _visited: set[tuple[int, int]] = field(default_factory=set)

    def files(self) -> Iterator[Found]:
        """Every regular file that is not hidden or left out, and every broken link."""
        for folder in self.excluded:
            if folder.is_dir() and folder.resolve() != self.root.resolve():
                self._enter(folder.stat())
        yield from self._folder(self.root)

    def _enter(self, seen: os.stat_result) -> bool:
        """Whether a folder is entered for the first time; file systems without inodes pass."""
        key = (seen.st_dev, seen.st_ino)
        if key in self._visited:
            return False
        if seen.st_ino:
            self._visited.add(key)
        return True

    def _folder(self, folder: Path) -> Iterator[Found]:
        try:
            if not self._enter(folder.stat()):
                return
            with os.scandir(folder) as listing:
                entries = sorted(filter(self._is_wanted, listing), key=_by_path_bytes)
        except OSError as error:
            self.unread.append(folder)
            yield Found(FileStamp(folder, 0, 0), ProblemReason.UNREADABLE, _said(error))
            return
        for entry in entries:
            if _is_folder(entry):
                yield from self._folder(folder / entry.name)
            else:
                yield from _file(folder / entry.name)

    def _is_wanted(self, entry: os.DirEntry[str]) -> bool:
        if self.settings.skip_hidden and entry.name.startswith("."):
            return False
        return not (entry.name in self.settings.skip_folders and _is_folder(entry))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _by_path_bytes(entry: os.DirEntry[str]) -> bytes:
    return os.fsencode(entry.name + os.sep if _is_folder(entry) else entry.name)


def _file(path: Path) -> Iterator[Found]:
    try:
        seen = path.stat()
    except OSError as error:
        yield _unseen(path, error)
        return
    if stat.S_ISREG(seen.st_mode):  # never a pipe, a socket or a device
        yield Found(FileStamp(path, seen.st_size, seen.st_mtime_ns))


def _unseen(path: Path, error: OSError) -> Found:
    if not path.is_symlink():
        return Found(FileStamp(path, 0, 0), ProblemReason.UNREADABLE, _said(error))
    stamp = FileStamp(path, 0, path.lstat().st_mtime_ns)
    return Found(stamp, ProblemReason.BROKEN_LINK, "the link leads nowhere")


def _said(error: OSError) -> str:
    return (error.strerror or "cannot be read").lower()


def refusal(found: Found, limits: DecodeSettings) -> tuple[ProblemReason, str] | None:
    """Why a file is not even a candidate, None where it should be decoded."""
    if found.trouble is not None:
        return found.trouble, found.detail
    try:
        sniffed = sniff_file(found.stamp.path)
    except OSError as error:
        return ProblemReason.UNREADABLE, _said(error)
    match sniffed:
        case Sniffed.VIDEO:
            return ProblemReason.VIDEO, "video files are not supported yet"
        case Sniffed.OTHER_PICTURE:
            return ProblemReason.UNSUPPORTED, _kind_of(found.stamp.path)
        case Sniffed.OTHER:
            return ProblemReason.NOT_A_PHOTO, _kind_of(found.stamp.path)
        case Sniffed.IMAGE:
            return _size_refusal(found.stamp.size, limits.max_bytes)


def _kind_of(path: Path) -> str:
    return f"{path.suffix.lower().lstrip('.') or 'unnamed'} file"


def _size_refusal(size: int, max_bytes: int) -> tuple[ProblemReason, str] | None:
    if size == 0:
        return ProblemReason.EMPTY, "the file is empty"
    if size > max_bytes:
        return ProblemReason.TOO_LARGE, f"{size:,} bytes; the limit is {max_bytes:,}"
    return None
