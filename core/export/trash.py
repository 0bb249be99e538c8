"""Photos into the system's trash, with the files that belong to them; nothing is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from send2trash import send2trash

from core.domain.photo import Photo, PhotoId
from core.errors import TrashRefused
from core.ingest.folders.takeout_names import is_album_name
from core.progress import Progress
from core.store.library import Library


@dataclass(frozen=True, slots=True)
class Trashing:
    """What a move to the trash is about: the photos, and every file that goes."""

    photos: tuple[PhotoId, ...]
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class TrashReport:
    """What went to the trash; `absent` files were not there to go."""

    files: tuple[Path, ...]
    absent: tuple[Path, ...] = ()


def files_to_trash(library: Library, ids: Sequence[PhotoId]) -> Trashing:
    """Every file of these photos and what belongs to it alone; raises NotInLibrary.

    A companion that other photos share, such as an album's description, stays.
    """
    photos = library.photos.photos(ids)
    files = dict.fromkeys(path for photo in photos for path in _files_of(photo))
    return Trashing(tuple(ids), tuple(files))


def trash_photos(library: Library, ids: Sequence[PhotoId], progress: Progress) -> TrashReport:
    """Move the files of photos to the trash and let them go from the library.

    A photo's row stays, so that it is known at once when its file comes back; so does a file that
    is not there now, for its disk may come back. Raises NotInLibrary, TrashRefused, Cancelled:
    what has gone by then is let go, the rest stays.
    """
    photos = library.photos.photos(ids)
    gone: list[Path] = []
    absent: list[Path] = []
    for photo in progress.track("trash", photos, len(photos)):
        moved: list[Path] = []
        try:
            for path in _files_of(photo):
                (moved if _trash(path) else absent).append(path)
        finally:
            library.photos.detach([stamp.path for stamp in photo.files if stamp.path in moved])
            gone += moved
    return TrashReport(tuple(gone), tuple(absent))


def _files_of(photo: Photo) -> list[Path]:
    """The files that show a photo, and then those that belong to them alone."""
    own = [
        companion.stamp.path
        for companion in photo.companions
        if not is_album_name(companion.stamp.path.name)
    ]
    return list(dict.fromkeys([*(stamp.path for stamp in photo.files), *own]))


def _trash(path: Path) -> bool:
    """Move a file to the trash; False where it is not there. Raises TrashRefused."""
    try:
        path.lstat()
    except OSError:
        return False
    try:
        send2trash(path)
    except OSError as error:
        raise TrashRefused(
            f"{path.name} cannot be moved to the trash: {_said(error)}.",
            "It stays where it is. Delete it in a file manager if that is what you want.",
        ) from error
    return True


def _said(error: OSError) -> str:
    return (error.strerror or str(error) or "the system refuses").lower().rstrip(".")
