"""One spelling a folder, though links and file systems without case know several."""

import os
from collections.abc import Iterable
from pathlib import Path

from core.ingest.folders.names import comparable

_Key = tuple[int, int]


def known_spelling(folder: Path, roots: Iterable[Path]) -> Path:
    """A folder as a known root spells it, where it is that root or lies in it by another path."""
    roots = list(roots)
    if any(folder.is_relative_to(root) for root in roots):
        return folder
    by_key = {key: root for root in roots if (key := folder_key(root)) is not None}
    for path in (folder, Path(os.path.realpath(folder))):
        for above in (path, *path.parents):
            root = by_key.get(folder_key(above) or (0, 0))
            if root is not None:
                return _as_listed(root, path.relative_to(above))
    return folder


def folder_key(folder: Path) -> _Key | None:
    """What is equal for two spellings of one folder; None where it is not there."""
    try:
        seen = folder.stat()
    except OSError:
        return None
    return (seen.st_dev, seen.st_ino) if seen.st_ino else None


def lies_in(folder: Path, other: Path) -> bool:
    """Whether a folder lies in another one, whatever the spellings."""
    real, top = Path(os.path.realpath(folder)), Path(os.path.realpath(other))
    return real != top and real.is_relative_to(top)


def _as_listed(folder: Path, below: Path) -> Path:
    """A path below a folder as its listings spell it."""
    for part in below.parts:
        folder /= _listed_name(folder, part)
    return folder


def _listed_name(folder: Path, name: str) -> str:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names alone
    except OSError:
        return name
    if name in names:
        return name
    alike = [one for one in names if comparable(one) == comparable(name)]
    same = [one for one in alike if folder_key(folder / one) == folder_key(folder / name)]
    return same[0] if same else name
