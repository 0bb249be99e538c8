"""A folder to look at again."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FolderChange:
    """A folder in which something changed: among its own files or, `deep`, anywhere below it.

    The folder itself may be gone: then all files known below it are.
    """

    folder: Path
    deep: bool = False
