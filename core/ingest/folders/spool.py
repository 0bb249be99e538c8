"""Long lists of files that stay out of memory: small ones there, long ones on disk."""

import os
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from core.domain.photo import Companion, CompanionRole, FileStamp
from core.ingest.decoding.jobs import DecodeJob

_STAMP = struct.Struct("<IQq")
_JOB = struct.Struct("<?I")
_ROLES = tuple(CompanionRole)
_IN_MEMORY_BYTES = 2_000_000


class JobSpool:
    """Jobs in the order in which they were added; close it to free its space."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - closed below
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, job: DecodeJob) -> None:
        """Append one job."""
        parts = [_packed(job.stamp), _JOB.pack(job.only_new, len(job.companions))]
        for companion in job.companions:
            parts += bytes([_ROLES.index(companion.role)]), _packed(companion.stamp)
        self._file.write(b"".join(parts))
        self._count += 1

    def __iter__(self) -> Iterator[DecodeJob]:
        """Every job; nothing may be added meanwhile."""
        self._file.seek(0)
        for _ in range(self._count):
            stamp = _unpacked(self._file)
            only_new, count = _JOB.unpack(self._file.read(_JOB.size))
            yield DecodeJob(stamp, only_new, tuple(_companions(self._file, count)))

    def close(self) -> None:
        """Free its space."""
        self._file.close()

    def __enter__(self) -> "JobSpool":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _packed(stamp: FileStamp) -> bytes:
    path = os.fsencode(stamp.path)
    return _STAMP.pack(len(path), stamp.size, stamp.modified_ns) + path


def _unpacked(file: IO[bytes]) -> FileStamp:
    length, size, modified = _STAMP.unpack(file.read(_STAMP.size))
    return FileStamp(Path(os.fsdecode(file.read(length))), size, modified)


def _companions(file: IO[bytes], count: int) -> Iterator[Companion]:
    for _ in range(count):
        role = _ROLES[file.read(1)[0]]
        yield Companion(role, _unpacked(file))


class PathSpool:
    """Paths in the order in which they were added; close it to free its space."""

    def __init__(self) -> None:
        self._jobs = JobSpool()

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, path: Path) -> None:
        """Append one path."""
        self._jobs.add(DecodeJob(FileStamp(path, 0, 0)))

    def __iter__(self) -> Iterator[Path]:
        """Every path; nothing may be added meanwhile."""
        return (job.stamp.path for job in self._jobs)

    def close(self) -> None:
        """Free its space."""
        self._jobs.close()

    def __enter__(self) -> "PathSpool":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
