"""Walks a folder: every visible item in the order of its path's bytes, every trouble named."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.photo import Companion, CompanionRole, FileStamp
from core.domain.problem import ProblemReason
from core.ingest.folders.pairs import Mate, Pairs, pair_names
from core.settings import ScanSettings

_SEPARATOR = os.fsencode(os.sep)
_LIVE_BYTES = 60_000_000
"""A live photo's video lasts three seconds: a larger one is a film of its own."""

FailedStamps = Callable[[Sequence[Path]], Mapping[Path, FileStamp]]
"""The stamps of the files among these that are known not to be readable."""


@dataclass(frozen=True, slots=True)
class Found:
    """An item of the walk: a file with its companions, ordered by their paths' bytes.

    `trouble` says why it (or a folder of that path) cannot be read.
    """

    stamp: FileStamp
    trouble: ProblemReason | None = None
    detail: str = ""
    companions: tuple[Companion, ...] = ()


def _none_failed(paths: Sequence[Path]) -> Mapping[Path, FileStamp]:
    return {}


@dataclass(slots=True)
class Walk:
    """One walk below a folder of a root; `unread` are folders that could not be listed.

    The order is that of the bytes of the full paths, so that it can be merged with the library's
    own. A folder is entered once, however many links lead to it, and by its own path where that
    lies below the root: loops end. `excluded` folders (the library's own, other roots) are never
    entered, and `left` files are passed over. `mounts` are the folders that were met on another
    device. `failed` tells which files are known not to be readable: what belongs to one of them
    is an item of its own.
    """

    root: Path
    settings: ScanSettings
    excluded: tuple[Path, ...] = ()
    top: Path | None = None
    deep: bool = True
    failed: FailedStamps = _none_failed
    left: frozenset[Path] = frozenset()
    unread: list[Path] = field(default_factory=list)
    mounts: list[Path] = field(default_factory=list)
    _real_root: Path = field(default_factory=Path)
    _real_excluded: tuple[Path, ...] = ()
    _visited: set[tuple[int, int]] = field(default_factory=set)

    def files(self) -> Iterator[Found]:
        """Every item that is not hidden or left out, and every broken link."""
        self._leave_out()
        open_folders = [self._open(self.top or self.root)]
        while open_folders:
            one = next(open_folders[-1], None)
            if one is None:
                open_folders.pop()
            elif isinstance(one, Found):
                yield one
            elif self.deep:
                open_folders.append(self._open(one))

    def _leave_out(self) -> None:
        self._real_root = Path(os.path.realpath(self.root))
        real = [Path(os.path.realpath(folder)) for folder in self.excluded if folder.is_dir()]
        self._real_excluded = tuple(folder for folder in real if folder != self._real_root)
        for folder in self._real_excluded:
            self._enter(folder.stat())
        if self.top not in (None, self.root):
            self._enter(self.root.stat())  # no link leads back to it

    def _enter(self, seen: os.stat_result) -> bool:
        """Whether a folder is entered for the first time; file systems without inodes pass."""
        key = (seen.st_dev, seen.st_ino)
        if key in self._visited:
            return False
        if seen.st_ino:
            self._visited.add(key)
        return True

    def _open(self, folder: Path) -> Iterator[Found | Path]:
        """The items of one folder and the folders in it, in order."""
        try:
            seen = folder.stat()
            if not self._enter(seen):
                return
            if folder != self.root and seen.st_dev != folder.parent.stat().st_dev:
                self.mounts.append(folder)
            names, odd = self._listing(folder)
        except OSError as error:
            self.unread.append(folder)
            yield Found(FileStamp(folder, 0, 0), ProblemReason.UNREADABLE, said(error))
            return
        pairs = self._pairs(folder, _FileNames(names, odd))
        of_all = [one for one in (_companion(folder, mate) for mate in pairs.of_all) if one]
        for name in names:
            if name.endswith(_SEPARATOR):
                yield folder / os.fsdecode(name[:-1])
            elif (text := os.fsdecode(name)) not in pairs.owned:
                mates = [_companion(folder, mate) for mate in pairs.mates.get(text, ())]
                yield from _item(folder / text, [*filter(None, mates), *of_all])

    def _listing(self, folder: Path) -> tuple[list[bytes], set[bytes]]:
        """What to look at in a folder, by the bytes of the paths (folders end in a separator),
        and what of that is neither a folder nor surely a file; raises OSError."""
        names, odd = [], set()
        with os.scandir(folder) as listing:
            for entry in listing:
                if not self._is_wanted(entry):
                    continue
                name = os.fsencode(entry.name)
                if _is_folder(entry):
                    name += _SEPARATOR
                elif not _is_file(entry):
                    odd.add(name)
                names.append(name)
        names.sort()
        return names, odd

    def _is_wanted(self, entry: os.DirEntry[str]) -> bool:
        if not is_wanted_name(entry.name, self.settings):
            return False
        if self.left and Path(entry.path) in self.left:
            return False
        if not _is_folder(entry):
            return True
        if entry.name in self.settings.skip_folders:
            return False
        return not (entry.is_symlink() and self._is_walked_elsewhere(entry.path))

    def _is_walked_elsewhere(self, link: str) -> bool:
        """Whether a link leads to a folder that is left out, or that this root holds itself."""
        real = Path(os.path.realpath(link))
        if any(real.is_relative_to(folder) for folder in self._real_excluded):
            return True
        if not real.is_relative_to(self._real_root):
            return False
        return is_wanted_folder(real.relative_to(self._real_root), self.settings)

    def _pairs(self, folder: Path, names: Iterable[str]) -> Pairs:
        """Pairs of files; one that is known not to be readable leaves its companions alone."""

        def is_short(name: str) -> bool:
            seen = _stat(folder / name)
            return seen is not None and seen.st_size <= _LIVE_BYTES

        alone: set[str] = set()
        asked: set[str] = set()
        while True:
            pairs = pair_names(names, is_short, alone)
            leaders = [n for n, mates in pairs.mates.items() if any(map(_is_media, mates))]
            new = [folder / name for name in leaders if name not in asked]
            asked.update(leaders)
            failed = {path.name for path, stamp in self.failed(new).items() if _is_still(stamp)}
            if not failed:
                return pairs
            alone |= failed


@dataclass(frozen=True, slots=True)
class _FileNames(Iterable[str]):
    """The files of a listing as text, made as they are asked for: a folder may hold very many."""

    names: Sequence[bytes]
    odd: Set[bytes]

    def __iter__(self) -> Iterator[str]:
        for name in self.names:
            if not name.endswith(_SEPARATOR) and name not in self.odd:
                yield os.fsdecode(name)


def is_wanted_name(name: str, settings: ScanSettings) -> bool:
    """Whether files and folders of that name are looked at."""
    return not (settings.skip_hidden and name.startswith("."))


def is_wanted_folder(below_root: Path, settings: ScanSettings) -> bool:
    """Whether a folder, relative to its root, is one that a walk enters."""
    return all(
        is_wanted_name(part, settings) and part not in settings.skip_folders
        for part in below_root.parts
    )


def said(error: OSError) -> str:
    """What the operating system says, in lower case."""
    return (error.strerror or "cannot be read").lower()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _is_media(mate: Mate) -> bool:
    return mate[0] not in (CompanionRole.SIDECAR, CompanionRole.TAKEOUT)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _is_still(stamp: FileStamp) -> bool:
    """Whether a file is as it was at a stamp."""
    seen = _stat(stamp.path)
    return seen is not None and (seen.st_size, seen.st_mtime_ns) == (stamp.size, stamp.modified_ns)


def _companion(folder: Path, mate: Mate) -> Companion | None:
    """A companion, None where it has just gone."""
    role, name = mate
    seen = _stat(folder / name)
    if seen is None:
        return None
    return Companion(role, FileStamp(folder / name, seen.st_size, seen.st_mtime_ns))


def _item(path: Path, companions: list[Companion]) -> Iterator[Found]:
    try:
        seen = path.stat()
    except OSError as error:
        yield _unseen(path, error)
        return
    if stat.S_ISREG(seen.st_mode):  # never a pipe, a socket or a device
        if len(companions) > 1:
            companions.sort(key=lambda companion: os.fsencode(companion.stamp.path))
        stamp = FileStamp(path, seen.st_size, seen.st_mtime_ns)
        yield Found(stamp, companions=tuple(companions))


def _unseen(path: Path, error: OSError) -> Found:
    if not path.is_symlink():
        return Found(FileStamp(path, 0, 0), ProblemReason.UNREADABLE, said(error))
    stamp = FileStamp(path, 0, path.lstat().st_mtime_ns)
    return Found(stamp, ProblemReason.BROKEN_LINK, "the link leads nowhere")
