"""Keeps a vector index in a file beside the database, and makes it again when it is wrong.

The file holds ids, vectors (float16, as the database does) and a fingerprint of what it was made
from. It may be deleted at any time; a damaged one is caught by its checksums.
"""

import contextlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.backends.faiss_index import FaissIndex
from core.domain.arrays import Float16Array, Int64Array

_UNUSABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)
Rows = tuple[Int64Array, Float16Array]
"""Ids, ascending, and their vectors (n, dim); of any width where there are none."""


def save_rows(rows: Rows, path: Path, fingerprint: str) -> None:
    """Write ids and vectors atomically; raises OSError where the folder cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            ids, vectors = rows
            np.savez(file, ids=ids, vectors=vectors, fingerprint=np.array(fingerprint))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load_index(path: Path, dim: int, fingerprint: str) -> FaissIndex | None:
    """The index in a file; None where it is absent, damaged or made from something else."""
    try:
        return _read(path, dim, fingerprint)
    except _UNUSABLE:
        return None


def cache_fault(path: Path, dim: int, fingerprint: str) -> str:
    """Why a file cannot be used; empty where it can, and where there is none."""
    try:
        stale = _read(path, dim, fingerprint) is None
        return "it was made from other vectors" if stale else ""
    except FileNotFoundError:
        return ""
    except _UNUSABLE as error:
        return f"it cannot be read ({type(error).__name__})"


def _read(path: Path, dim: int, fingerprint: str) -> FaissIndex | None:
    """The index in a file; None where it was made from something else, raises `_UNUSABLE`."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        if str(arrays["fingerprint"]) != fingerprint:
            return None
        return FaissIndex.of(dim, arrays["ids"], arrays["vectors"])


def load_or_build(path: Path, dim: int, fingerprint: str, load: Callable[[], Rows]) -> FaissIndex:
    """The index from its file where that is right, else from `load` (then the file is made anew).

    A file that cannot be written costs time at the next start, nothing else.
    """
    cached = load_index(path, dim, fingerprint)
    if cached is not None:
        return cached
    ids, vectors = load()
    rows = ids, vectors.reshape(len(ids), dim)
    with contextlib.suppress(OSError):
        save_rows(rows, path, fingerprint)
    return FaissIndex.of(dim, *rows)
