"""What a search starts from: the reference photo, and whether there is anything to look through."""

from collections.abc import Callable

import numpy as np

from core.domain.query import ReferencePhoto
from core.errors import LibraryEmpty
from core.ingest.reference import read_reference_photo
from core.protocols import Perception
from core.retrieval.gallery import Gallery
from core.retrieval.reference import Reference
from core.settings import Settings
from core.store.library import Library


def read_reference(
    asked: ReferencePhoto | None,
    library: Library,
    gallery: Callable[[], Gallery],
    perception: Callable[[], Perception],
    settings: Settings,
) -> Reference | None:
    """The reference as retrieval sees it: from the library where it is known, else decoded.

    Raises ReferenceUnreadable, LibraryEmpty.
    """
    if asked is None:
        return None
    photo_id = asked.photo_id or library.photos.id_at(asked.path)
    if photo_id is not None and photo_id in gallery().ids:
        vector = gallery().vectors(np.array([photo_id]))[0]
        profile = library.profiles.profiles([photo_id]).get(photo_id)
        return Reference(vector, profile, photo_id)
    return Reference(*read_reference_photo(asked.path, perception(), settings))


def nothing_to_look_through(library: Library, model: str) -> LibraryEmpty:
    """Why a search of this library finds nothing, and what to do."""
    if library.photos.count() == 0:
        return LibraryEmpty("No photo is indexed yet.", "Run `photoapp index FOLDER` first.")
    return LibraryEmpty(
        f"The model {model} has not looked at these photos yet.",
        "Index their folders again: nothing else is read anew.",
    )
