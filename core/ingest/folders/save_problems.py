"""Keeps why files are not in the library."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.domain.photo import FileStamp
from core.domain.problem import Problem, ProblemReason
from core.store.library import Library

RefusedFile = tuple[FileStamp, ProblemReason, str]


def save_problems(library: Library, refused: Sequence[RefusedFile]) -> None:
    """Keep problems in one transaction; a file that was a photo is one no longer."""
    if not refused:
        return
    now = datetime.now(UTC).replace(microsecond=0)
    with library.database.write():
        library.photos.detach(stamp.path for stamp, _, _ in refused)
        for stamp, reason, detail in refused:
            library.problems.save(Problem(stamp.path, reason, detail, now), stamp)
