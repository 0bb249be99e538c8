"""When changes are ripe: a state machine without a clock of its own, threads or files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.ingest.folders.folder_change import FolderChange

Stamp = tuple[int, int] | None
"""Size in bytes and modification time in ns of a file, None where it is not there."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Folders to look at again, none below a deep other, and files in them to leave for now."""

    folders: tuple[FolderChange, ...]
    leave: frozenset[Path] = frozenset()


@dataclass(slots=True)
class Debouncer:
    """Gathers changes until none came for `quiet_s`, at most for `longest_s` since the first.

    Every change is in one of the batches taken after it. A file that was touched less than
    `quiet_s` ago, or whose stamp moves, is left, and comes again with a later batch.
    All times are seconds of one clock that never runs backwards.
    """

    quiet_s: float
    longest_s: float
    _folders: dict[Path, bool] = field(default_factory=dict)
    _files: dict[Path, tuple[float, Stamp]] = field(default_factory=dict)
    _first: float = 0.0
    _last: float = 0.0

    def touch(self, folder: Path, now: float, *, deep: bool = False) -> None:
        """Something changed among a folder's files or, `deep`, anywhere below it."""
        if not self._folders:
            self._first = now
        self._last = max(self._last, now)
        self._folders[folder] = deep or self._folders.get(folder, False)

    def touch_file(self, path: Path, stamp: Stamp, now: float) -> None:
        """A file came, changed or went."""
        self.touch(path.parent, now)
        self._files[path] = (now, stamp)

    @property
    def due_at(self) -> float | None:
        """When a batch is ripe if nothing more comes; None while there is nothing."""
        if not self._folders:
            return None
        return min(self._last + self.quiet_s, self._first + self.longest_s)

    def take(self, now: float, stamp_of: Callable[[Path], Stamp]) -> Changes | None:
        """The ripe batch, None where there is none; `stamp_of` looks at touched files alone."""
        due_at = self.due_at
        if due_at is None or now < due_at:
            return None
        restless = self._restless(now, stamp_of)
        changes = Changes(outermost(self._folders), frozenset(restless))
        self._folders, self._files = {}, {}
        for path, (touched, stamp) in restless.items():
            self.touch_file(path, stamp, touched)
        self._first = now
        return changes

    def _restless(
        self, now: float, stamp_of: Callable[[Path], Stamp]
    ) -> dict[Path, tuple[float, Stamp]]:
        """The files that are still being written, as they are now; what is gone is at rest."""
        restless: dict[Path, tuple[float, Stamp]] = {}
        for path, (touched, stamp) in self._files.items():
            seen = stamp_of(path)
            if seen is not None and seen != stamp:
                restless[path] = (now, seen)
            elif seen is not None and now - touched < self.quiet_s:
                restless[path] = (touched, stamp)
        return restless


def outermost(folders: Mapping[Path, bool]) -> tuple[FolderChange, ...]:
    """Folders (True: deep) as changes, in order, without those that lie below a deep one."""
    deep = {folder for folder, is_deep in folders.items() if is_deep}
    return tuple(
        FolderChange(folder, folders[folder])
        for folder in sorted(folders)
        if deep.isdisjoint(folder.parents)
    )
