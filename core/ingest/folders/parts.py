"""Parts of roots: the folders that one run looks at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.ingest.folders.folder_change import FolderChange
from core.ingest.folders.scan import is_wanted_folder
from core.settings import ScanSettings


@dataclass(frozen=True, slots=True)
class Part:
    """A folder of a root: all below it or, where not `deep`, its own files."""

    root: Path
    folder: Path
    deep: bool = True


def whole(roots: Iterable[Path]) -> list[Part]:
    """Roots as parts."""
    return [Part(root, root) for root in roots]


def parts_of(
    changes: Sequence[FolderChange], roots: Iterable[Path], settings: ScanSettings
) -> list[Part]:
    """Changed folders as parts of the roots that hold them, none within another, in order.

    A folder that no root holds, or that a walk of its root would not enter, is left out. Where a
    link is on the way to a folder, its whole root is the part.
    """
    tops = [root for root in roots if not any(root != r and root.is_relative_to(r) for r in roots)]
    parts: set[Part] = set()
    for change in changes:
        root = next((top for top in tops if change.folder.is_relative_to(top)), None)
        if root is None or not is_wanted_folder(change.folder.relative_to(root), settings):
            continue
        parts.add(_without_links(Part(root, change.folder, change.deep)))
    return sorted(
        (part for part in parts if not any(_is_within(part, other) for other in parts)),
        key=lambda part: part.folder,
    )


def _without_links(part: Part) -> Part:
    folder = part.folder
    while folder != part.root:
        if folder.is_symlink():
            return Part(part.root, part.root)
        folder = folder.parent
    return part


def _is_within(part: Part, other: Part) -> bool:
    return part != other and other.deep and part.folder.is_relative_to(other.folder)
