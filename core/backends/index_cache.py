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
from core.domain.arrays import Float32Array, Int64Array

_UNUSABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)
LoadVectors = Callable[[], tuple[Int64Array, Float32Array]]


def save_index(index: FaissIndex, path: Path, fingerprint: str) -> None:
    """Write the index atomically; raises OSError where the folder cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            ids = index.ids
            halves = index.vectors(ids).astype(np.float16)
            np.savez(file, ids=ids, vectors=halves, fingerprint=np.array(fingerprint))
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
        index = FaissIndex(dim)
        index.add(arrays["ids"], arrays["vectors"].astype(np.float32))
        return index


def load_or_build(path: Path, dim: int, fingerprint: str, load: LoadVectors) -> FaissIndex:
    """The index from its file where that is right, else from `load` (then the file is made anew).

    A file that cannot be written costs time at the next start, nothing else.
    """
    cached = load_index(path, dim, fingerprint)
    if cached is not None:
        return cached
    index = FaissIndex(dim)
    ids, vectors = load()
    if len(ids):
        index.add(ids, vectors)
    with contextlib.suppress(OSError):
        save_index(index, path, fingerprint)
    return index
