"""Files in a library's folder that nothing refers to: thumbnails of unknown photos, unfinished
files of processes that died."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.ingest.decoding.decode import PARTS
from core.progress import Progress
from core.store.backup import PARTIAL
from core.store.checkup import known_hashes
from core.store.library import Library

_PREFIXES = tuple(f"{number:02x}" for number in range(256))
_LONG_S = 3600.0
"""A file that was not touched for so long is not being written."""


@dataclass(frozen=True, slots=True)
class ThumbnailFaults:
    """Thumbnails of no photo, and files that cannot be thumbnails because nothing is in them."""

    orphans: tuple[Path, ...]
    orphan_bytes: int
    empty: tuple[Path, ...]


def thumbnail_faults(library: Library, progress: Progress) -> ThumbnailFaults:
    """Look at every thumbnail's name and size; raises Cancelled."""
    orphans, empty, size = list[Path](), list[Path](), 0
    for prefix in progress.track("thumbnails", _PREFIXES, total=len(_PREFIXES)):
        known = known_hashes(library.database, prefix)
        for entry in _files_in(library.paths.thumbnails / prefix):
            state = entry.stat()
            if entry.name.removesuffix(".jpg") not in known:
                orphans.append(Path(entry.path))
                size += state.st_size
            elif state.st_size == 0:
                empty.append(Path(entry.path))
    return ThumbnailFaults(tuple(orphans), size, tuple(empty))


def _files_in(folder: Path) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry for entry in entries if entry.is_file(follow_symlinks=False))
    except FileNotFoundError:
        return


def unfinished(library: Library) -> list[Path]:
    """Files that no living process is writing any more."""
    paths = library.paths
    parts = [
        path for path in _listed(paths.thumbnails / PARTS) if not _is_alive(path.name.split(".")[0])
    ]
    partial = [
        path
        for folder in (paths.backups, paths.root)
        for path in _listed(folder)
        if PARTIAL in path.name and not _is_alive(path.name.split(PARTIAL)[0].rpartition(".")[2])
    ]
    caches = [path for path in _listed(paths.vectors) if path.suffix == ".part" and _is_old(path)]
    return [*parts, *partial, *caches]


def _listed(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def _is_alive(number: str) -> bool:
    return number.isdigit() and int(number) > 0 and psutil.pid_exists(int(number))


def _is_old(path: Path) -> bool:
    return time.time() - path.stat().st_mtime > _LONG_S


def remove(paths: Sequence[Path]) -> int:
    """Delete files; returns how many were there. Raises OSError."""
    removed = 0
    for path in paths:
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        removed += 1
    return removed
