"""Photos that a command's words choose."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.domain.photo import Photo, PhotoId
from core.engine import Engine
from core.errors import InputError, NotInLibrary


def chosen_photos(engine: Engine, files: Sequence[Path]) -> list[Photo]:
    """The photos that these files hold, each once; raises InputError, NotInLibrary."""
    return list({photo.id: photo for photo in (_photo(engine, f) for f in files)}.values())


def files_of(engine: Engine, ids: Sequence[PhotoId], most: int) -> list[Path]:
    """Files of the first photos among these that have one, at most so many."""
    found: list[Path] = []
    for photo_id in ids[: 10 * most]:
        with suppress(NotInLibrary):  # its last file may be gone
            found.append(engine.photos([photo_id])[0].path)
        if len(found) == most:
            break
    return found


def _photo(engine: Engine, file: Path) -> Photo:
    photo = engine.photo_at(file)
    if photo is not None:
        return photo
    if file.is_dir():
        raise InputError(f"{file} is a folder.", "Name the photos in it.")
    raise NotInLibrary(f"{file} is not in this library.", "Index its folder first.")
