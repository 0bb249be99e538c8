"""Forgets folders and lost photos: on request alone, never because something is offline."""

from pathlib import Path

from core.errors import NotInLibrary
from core.ingest.mounts import known_mounts, remember_mounts
from core.paths import plain_path
from core.progress import Progress
from core.store.below import Below
from core.store.library import Library
from core.store.purge import purge_lost_photos
from core.store.slices import batches


def forget_folder(library: Library, folder: Path, progress: Progress) -> int:
    """Forget a root, or a folder below one, and which files are in it; returns how many were.

    Their photos stay, with all that is known of them, until `purge_lost`; where the folder is
    indexed again nothing has to be looked at. Raises NotInLibrary, Cancelled.
    """
    folder = plain_path(folder)
    roots = library.facts.roots()
    if not any(folder.is_relative_to(root) for root in roots):
        raise NotInLibrary(f"{folder} is no folder of this library.", "Name one of its folders.")
    kept = [root for root in roots if root != folder and root.is_relative_to(folder)]
    paths = [
        path
        for path in library.photos.files_under(folder)
        if not any(path.is_relative_to(root) for root in kept)
    ]
    problems = [problem.path for problem in library.problems.under(Below(folder))]
    with library.database.write():
        library.facts.forget_root(folder)
        for batch in batches(paths):
            library.photos.detach(batch)
            progress.report("forget", 0, None)
        library.problems.clear(p for p in problems if not any(p.is_relative_to(r) for r in kept))
        remember_mounts(library, {m for m in known_mounts(library) if not m.is_relative_to(folder)})
    return len(paths)


def purge_lost(library: Library) -> int:
    """Forget every photo that no file holds, and its thumbnail; returns how many."""
    purged = purge_lost_photos(library.database)
    for content in purged:
        library.paths.thumbnail(content).unlink(missing_ok=True)
    return len(purged)
