"""Another try for files that had a problem: only where they are."""

from pathlib import Path

from core.ingest.folders.folder_change import FolderChange
from core.ingest.options import IndexOptions
from core.paths import is_folder
from core.store.library import Library


def retry_options(library: Library) -> IndexOptions | None:
    """A run that looks only at folders in which a file had a problem, and reads it again.

    None where no file has one.
    """
    folders: dict[Path, bool] = {}
    for problem in library.problems.all():
        if is_folder(problem.path):  # it could not be listed
            folders[problem.path] = True
        else:
            folders.setdefault(problem.path.parent, False)
    if not folders:
        return None
    changes = (FolderChange(folder, deep) for folder, deep in sorted(folders.items()))
    return IndexOptions(retry=True, only=tuple(changes))
