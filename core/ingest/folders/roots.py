"""The folders that a run is asked for: one spelling each, re-attached where they came back."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.domain.photo import FileStamp
from core.errors import FolderMissing
from core.ingest.folders.mounts import known_mounts, remember_mounts
from core.ingest.folders.spelling import known_spelling, lies_in
from core.paths import is_empty, is_file, is_folder, plain_path
from core.store.library import Library
from core.store.moves import move_folder, sample_of

_SAMPLE = 200
_ENOUGH = 0.8
_CLOCK_NS = 2_000_000_000
"""File systems of cameras and sticks count modification times in steps of 2 s."""


def settle_folders(folders: Sequence[Path], library: Library) -> tuple[list[Path], list[str]]:
    """The folders as the library spells them, in order, and what a person should know of them.

    A new folder that holds the files of a root which is offline is that root under another path:
    the library follows, and no file is read. Raises FolderMissing.
    """
    notes: list[str] = []
    settled: set[Path] = set()
    for folder in sorted({plain_path(folder) for folder in folders}):
        known = library.facts.roots()
        if folder in known:
            settled.add(folder)
            continue
        _check(folder)
        spelled = known_spelling(folder, known)
        if spelled != folder:
            notes.append(f"{folder} is {spelled} by another path")
        elif (old := _came_from(folder, known, library)) is not None:
            count = _reattach(old, folder, library)
            notes.append(f"{folder} is what was {old}: {count} files follow, none is read")
        settled.add(spelled)
    return sorted(settled), notes


def outermost(folders: Sequence[Path], library: Library) -> list[Path]:
    """The folders to walk: without those within others, with roots that links hide in them."""
    known = [root for root in library.facts.roots() if is_folder(root)]
    hidden = {
        root
        for root in known
        for folder in folders
        if not root.is_relative_to(folder) and lies_in(root, folder)
    }
    every = sorted(hidden.union(folders))
    return [f for f in every if not any(f != g and f.is_relative_to(g) for g in every)]


def is_away(root: Path) -> bool:
    """Whether a root is gone, or an empty folder."""
    return not is_folder(root) or is_empty(root)


def _check(folder: Path) -> None:
    if not is_folder(folder):
        what = "is a file, not a folder" if is_file(folder) else "is not there"
        raise FolderMissing(f"The folder {folder} {what}.", "Check its name.")


def _came_from(folder: Path, roots: Mapping[Path, bool], library: Library) -> Path | None:
    """The root that is away and whose files are in a new folder; None where none is."""
    if any(folder.is_relative_to(root) or root.is_relative_to(folder) for root in roots):
        return None
    found = max(_matches(folder, roots, library), default=None)
    return None if found is None else found[1]


def _matches(
    folder: Path, roots: Mapping[Path, bool], library: Library
) -> Iterator[tuple[int, Path]]:
    for root in filter(is_away, roots):
        sample = sample_of(library.database, root, _SAMPLE)
        said = [_agrees(stamp, folder / stamp.path.relative_to(root)) for stamp in sample]
        agreeing = said.count(True)
        if agreeing and False not in said and agreeing >= _ENOUGH * len(said):
            yield agreeing, root


def _agrees(stamp: FileStamp, path: Path) -> bool | None:
    """Whether a file is the known one under another path; None where it is not there."""
    try:
        seen = path.stat()
    except OSError:
        return None
    near = abs(seen.st_mtime_ns - stamp.modified_ns) <= _CLOCK_NS
    return seen.st_size == stamp.size and near


def _reattach(old: Path, new: Path, library: Library) -> int:
    with library.database.write():
        count = move_folder(library.database, old, new)
        mounts = known_mounts(library)
        moved = {new / m.relative_to(old) if m.is_relative_to(old) else m for m in mounts}
        remember_mounts(library, moved)
    return count
