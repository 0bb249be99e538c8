"""How an indexing run differs from the usual one."""

from dataclasses import dataclass
from pathlib import Path

from core.ingest.decode import decode_file
from core.ingest.worker import DecodeFunction


@dataclass(frozen=True, slots=True)
class FolderChange:
    """A folder in which something changed: among its own files or, `deep`, anywhere below it.

    The folder itself may be gone: then all files known below it are.
    """

    folder: Path
    deep: bool = False


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """`retry` reads again what had a problem; `decode` may be replaced in tests.

    Where `only` names folders, nothing else is listed or looked at. `leave` are files that are
    still being written: neither read now nor forgotten.
    """

    retry: bool = False
    decode: DecodeFunction = decode_file
    only: tuple[FolderChange, ...] = ()
    leave: frozenset[Path] = frozenset()
