"""Files whose names came back from another file system in another Unicode form."""

import unicodedata
from pathlib import Path

from core.domain.photo import FileStamp
from core.store.library import Library


def renamed_from(stamp: FileStamp, root: Path, library: Library) -> bool:
    """Whether a new file is a known one whose path compares equal on NFC and is no longer there.

    If so the library knows it by its new path from now on: it is not read again.
    """
    name = str(stamp.path.relative_to(root))
    if name.isascii():
        return False
    forms = {unicodedata.normalize(form, name) for form in ("NFC", "NFD")} - {name}
    for path, known in library.photos.known_files([root / form for form in forms]).items():
        same = (known.stamp.size, known.stamp.modified_ns) == (stamp.size, stamp.modified_ns)
        if same and not path.exists():
            with library.database.write():
                library.photos.detach([path])
                library.photos.attach(known.photo_id, stamp)
            return True
    return False
