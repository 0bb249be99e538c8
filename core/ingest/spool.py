"""A long list of files that stays out of memory: small ones there, long ones on disk."""

import os
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

from core.domain.photo import FileStamp

_HEAD = struct.Struct("<IQq")
_IN_MEMORY_BYTES = 16_000_000


class StampSpool:
    """File stamps in the order in which they were added; close it to free its space."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - closed below
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, stamp: FileStamp) -> None:
        """Append one stamp."""
        path = os.fsencode(stamp.path)
        self._file.write(_HEAD.pack(len(path), stamp.size, stamp.modified_ns) + path)
        self._count += 1

    def __iter__(self) -> Iterator[FileStamp]:
        """Every stamp; nothing may be added meanwhile."""
        self._file.seek(0)
        for _ in range(self._count):
            length, size, modified = _HEAD.unpack(self._file.read(_HEAD.size))
            yield FileStamp(Path(os.fsdecode(self._file.read(length))), size, modified)

    def close(self) -> None:
        """Free its space."""
        self._file.close()

    def __enter__(self) -> "StampSpool":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
