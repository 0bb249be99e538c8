"""Exact duplicates: files of equal bytes or of equal pixels.

Pixels are compared as they are stored, so a copy that differs in metadata alone is exact, and so
are lossless variants of one picture in several formats (PNG, BMP, TIFF). Copies whose pixels were
turned when they were saved are near-duplicates, not exact ones. Of videos all bytes count.
"""

from collections.abc import Iterator, Sequence

from core.domain.report import DuplicateGroup
from core.progress import Progress
from core.store.copies import Copy, exact_copies
from core.store.library import Library


def exact_groups(library: Library, progress: Progress) -> Iterator[DuplicateGroup]:
    """Groups of equal files; links to one and the same file are not duplicates."""
    for copies in progress.track("copies", exact_copies(library.database)):
        distinct = _distinct_files(copies)
        if len(distinct) > 1:
            best, reason = _best(distinct)
            files = tuple(copy.stamp.path for copy in distinct)
            yield DuplicateGroup("exact", best.stamp.path, files, reason)


def _distinct_files(copies: Sequence[Copy]) -> list[Copy]:
    seen: dict[object, Copy] = {}
    for copy in sorted(copies, key=lambda c: (c.stamp.path.is_symlink(), c.stamp.path)):
        try:
            found = copy.stamp.path.stat()
        except OSError:  # offline: what the library knows counts
            seen[copy.stamp.path] = copy
            continue
        key = (found.st_dev, found.st_ino) if found.st_ino else copy.stamp.path
        seen.setdefault(key, copy)
    return sorted(seen.values(), key=lambda c: c.stamp.path)


def _best(copies: Sequence[Copy]) -> tuple[Copy, str]:
    """The rated one, then the largest file (it says most of itself), the oldest, the first."""
    best = max(copies, key=lambda c: (c.rating, c.stamp.size, -c.stamp.modified_ns))
    what = "equal files" if _same_bytes(copies) else "files of equal pixels"
    if any(copy.rating != best.rating for copy in copies):
        return best, f"rated highest, {best.rating} of 5, of {what}"
    if any(copy.stamp.size != best.stamp.size for copy in copies):
        return best, f"the largest of {what}"
    if any(copy.stamp.modified_ns != best.stamp.modified_ns for copy in copies):
        return best, f"the oldest of {what}"
    return best, f"the first by name of {what}"


def _same_bytes(copies: Sequence[Copy]) -> bool:
    return len({copy.content_hash for copy in copies}) == 1
