"""Which paths below a watched folder matter: those that a scan would come to."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.settings import ScanSettings


@dataclass(frozen=True, slots=True)
class Sieve:
    """Passes what a scan of `root` reads; `excluded` are folders of our own.

    `partial` are endings of files that are still on their way: they come again under their
    own names.
    """

    root: Path
    scan: ScanSettings
    partial: tuple[str, ...] = ()
    excluded: tuple[Path, ...] = ()

    def passes_folder(self, path: Path) -> bool:
        """Whether a scan enters a folder, as its path tells."""
        if path == self.root:
            return True
        if any(path.is_relative_to(own) and own != self.root for own in self.excluded):
            return False
        try:
            below = path.relative_to(self.root).parts
        except ValueError:
            return False
        return not any(self._is_skipped(part) or part in self.scan.skip_folders for part in below)

    def passes_file(self, path: Path) -> bool:
        """Whether a scan reads a file, as its path tells."""
        if self._is_skipped(path.name) or path.name.lower().endswith(self.partial):
            return False
        return self.passes_folder(path.parent)

    def entries(self, folder: str | None) -> Iterator[os.DirEntry[str]]:
        """What lies in a folder and passes; raises OSError."""
        with os.scandir(folder) as listing:
            for entry in listing:
                if self._passes(entry):
                    yield entry

    def _passes(self, entry: os.DirEntry[str]) -> bool:
        path = Path(entry.path)
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            return False
        return self.passes_folder(path) if is_folder else self.passes_file(path)

    def _is_skipped(self, name: str) -> bool:
        return self.scan.skip_hidden and name.startswith(".")
