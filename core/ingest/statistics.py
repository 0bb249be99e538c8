"""What a library holds, in numbers."""

from core.domain.report import LibraryStats
from core.store.library import Library


def count_library(library: Library) -> LibraryStats:
    """Counts, sizes in bytes, models, and when the library was last indexed."""
    files, size = library.photos.file_totals()
    embedded = library.vectors.counts()
    return LibraryStats(
        photos=library.photos.count(),
        files=files,
        sessions=library.sessions.counts()[0],
        trips=library.sessions.counts()[1],
        problems=library.problems.count(),
        embedded=embedded,
        bytes_photos=size,
        bytes_library=sum(f.stat().st_size for f in library.paths.root.rglob("*") if f.is_file()),
        models=tuple(sorted(embedded)),
        last_indexed=library.facts.get("last_indexed"),
    )
