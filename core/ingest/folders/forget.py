"""Forgets folders and lost photos: on request alone, never because something is offline."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import NotInLibrary
from core.ingest.folders.mounts import known_mounts, remember_mounts
from core.progress import Progress
from core.store.below import Below
from core.store.library import Library
from core.store.purge import purge_lost_photos
from core.store.slices import batches


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many files and how many photos were forgotten."""

    files: int
    photos: int


def check_known(library: Library, folder: Path) -> None:
    """Raise NotInLibrary where a folder is no root and lies in none."""
    if not any(folder.is_relative_to(root) for root in library.facts.roots()):
        raise NotInLibrary(
            f"{folder} is no folder of this library.", "List them with `photoapp folders`."
        )


def forget_folder(library: Library, folder: Path, progress: Progress) -> int:
    """Forget a root, or a folder below one, and which files are in it; returns how many were.

    Their photos stay, with all that is known of them, until `purge_lost`; where the folder is
    indexed again nothing has to be looked at. Raises NotInLibrary, Cancelled.
    """
    check_known(library, folder)
    roots = library.facts.roots()
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


def forget(
    library: Library, folders: Sequence[Path], progress: Progress, *, purge: bool
) -> Forgotten:
    """Forget folders and, to `purge`, every photo that no file holds.

    Raises NotInLibrary, before anything is forgotten; and Cancelled.
    """
    for folder in folders:
        check_known(library, folder)
    files = sum(forget_folder(library, folder, progress) for folder in folders)
    return Forgotten(files, purge_lost(library) if purge else 0)


def purge_lost(library: Library) -> int:
    """Forget every photo that no file holds, and its thumbnail; returns how many."""
    purged = purge_lost_photos(library.database)
    for content in purged:
        library.paths.thumbnail(content).unlink(missing_ok=True)
    return len(purged)
