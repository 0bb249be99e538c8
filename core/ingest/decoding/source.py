"""The bytes of one file, with the hash that is its identity."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from core.domain.photo import ContentHash
from core.ingest.folders.sniff import SNIFF_BYTES, Sniffed, reader_for


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: `data` are its bytes, but for films, which are never read whole.

    `reader` is IMAGE, RAW or VIDEO: whose decoder it goes to.
    """

    content_hash: ContentHash
    size: int
    reader: Sniffed
    data: bytes = b""


def read_source(path: Path) -> Source:
    """Read and hash a file; raises OSError, MemoryError."""
    with path.open("rb") as file:
        reader = reader_for(path, file.read(SNIFF_BYTES))
        file.seek(0)
        if reader is Sniffed.VIDEO:
            digest = hashlib.file_digest(file, "sha256")
            return Source(ContentHash(digest.hexdigest()), file.tell(), reader)
        data = file.read()
    return Source(ContentHash(hashlib.sha256(data).hexdigest()), len(data), reader, data)
