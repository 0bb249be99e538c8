"""Gives photos that an older version indexed their look, from their thumbnails."""

from collections.abc import Sequence

from PIL import Image

from core.domain.photo import ContentHash, Look, PhotoId
from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.likeness.look import look_of
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import Library
from core.store.looks import photos_without_look, save_looks

_PAGE = 200
_NONE = PhotoId(0)


def complete_looks(library: Library, progress: Progress) -> int:
    """Fill every look that is missing and whose thumbnail is there; raises Cancelled.

    Page by page, each kept as soon as it is made. Returns how many were filled.
    """
    filled, last = 0, _NONE
    while page := photos_without_look(library.database, last, _PAGE):
        last = page[-1][0]
        looks = _looks(page, library.paths, progress)
        save_looks(library.database, looks)
        filled += len(looks)
        progress.report("looks", filled)
    return filled


def _looks(
    page: Sequence[tuple[PhotoId, ContentHash]], paths: LibraryPaths, progress: Progress
) -> dict[PhotoId, Look]:
    looks = {}
    for photo_id, content_hash in page:
        progress.check()
        look = _look(paths, content_hash)
        if look is not None:
            looks[photo_id] = look
    return looks


def _look(paths: LibraryPaths, content_hash: ContentHash) -> Look | None:
    try:
        with Image.open(paths.thumbnail(content_hash), formats=["JPEG"]) as thumbnail:
            return look_of(thumbnail.convert("RGB"))
    except (OSError, *DECODER_FAULTS):  # it is made again with the next run
        return None
