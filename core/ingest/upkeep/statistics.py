"""What a library holds, in numbers."""

import os
from pathlib import Path

from core.domain.report import LibraryStats
from core.paths import LibraryPaths
from core.store.library import Library

_PREFIXES = tuple(f"{number:02x}" for number in range(256))
_FEW = 20_000
_SHARE = 16
"""Contents' hashes are spread evenly: one folder of thumbnails in so many stands for all."""


def count_library(library: Library) -> LibraryStats:
    """Counts, sizes in bytes, models, and when the library was last indexed.

    The bytes of many thumbnails are estimated from every sixteenth folder of them.
    """
    files, size = library.photos.file_totals()
    embedded, photos = library.vectors.counts(), library.photos.count()
    return LibraryStats(
        photos=photos,
        files=files,
        sessions=library.sessions.counts()[0],
        trips=library.sessions.counts()[1],
        problems=library.problems.count(),
        embedded=embedded,
        bytes_photos=size,
        bytes_library=_bytes_of(library.paths, photos),
        models=tuple(sorted(embedded)),
        last_indexed=library.facts.get("last_indexed"),
    )


def _bytes_of(paths: LibraryPaths, photos: int) -> int:
    step = 1 if photos <= _FEW else _SHARE
    thumbnails = sum(_bytes_below(paths.thumbnails / name) for name in _PREFIXES[::step]) * step
    return thumbnails + _bytes_below(paths.root, leave=paths.thumbnails)


def _bytes_below(folder: Path, leave: Path | None = None) -> int:
    """The bytes of every file below a folder that is there now, without those of one below it."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    total += 0 if Path(entry) == leave else _bytes_below(Path(entry), leave)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return total
    return total
