"""How an indexing run differs from the usual one."""

from dataclasses import dataclass
from pathlib import Path

from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.worker import DecodeFunction
from core.ingest.folders.folder_change import FolderChange


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
