"""Exact nearest neighbours by inner product: a FAISS flat index whose rows lie in id order.

Rows in id order make a row's number its tie-break, ids to rows a binary search, and the stored
vectors one matrix that can be read without a copy.
"""

import threading
from typing import Any

import faiss
import numpy as np

from core.domain.arrays import BoolArray, Float16Array, Float32Array, Int64Array

_untyped: Any = faiss  # its stubs describe the C++ signatures, not the wrapped ones
_DIRECT_BELOW = 4000
"""Up to so many ids of `within` a gathered product beats FAISS with a selector (measured)."""
_SLACK = 32
"""Extra neighbours asked for, so that ties at the cut are seen whole."""
_FLOAT_BYTES = 4
_DECIMALS = 6
"""Scores are rounded: equal vectors must tie whichever kernel multiplied them."""


class FaissIndex:
    """Implements `VectorIndex`; float32 only, safe across threads."""

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._ids: Int64Array = np.empty(0, np.int64)
        self._flat = faiss.IndexFlatIP(dim)
        self._lock = threading.RLock()

    @classmethod
    def of(cls, dim: int, ids: Int64Array, vectors: Float32Array | Float16Array) -> "FaissIndex":
        """An index of (n, dim) vectors under ids that ascend, filled without a further copy.

        Raises ValueError where shapes do not fit or ids do not ascend.
        """
        if vectors.shape != (len(ids), dim):
            raise ValueError(f"vectors are {vectors.shape}, not {(len(ids), dim)}")
        if np.any(ids[1:] <= ids[:-1]):
            raise ValueError("the ids do not ascend")
        index = cls(dim)
        index._ids = np.asarray(ids, np.int64)
        index._flat.codes.resize(len(ids) * dim * _FLOAT_BYTES)
        index._flat.ntotal = len(ids)
        index._matrix()[:] = vectors
        return index

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    @property
    def ids(self) -> Int64Array:
        """Every id, ascending."""
        return self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, ids: Int64Array, vectors: Float32Array) -> None:
        """Add (n, dim) vectors under ids; an id that is there is replaced, a repeated one's last
        vector holds. Raises ValueError where shapes do not fit.
        """
        new_ids = np.asarray(ids, np.int64)
        rows = np.ascontiguousarray(vectors, np.float32)
        if rows.shape != (len(new_ids), self._dim):
            raise ValueError(f"vectors are {rows.shape}, not {(len(new_ids), self._dim)}")
        new_ids, last = np.unique(new_ids[::-1], return_index=True)
        rows = rows[::-1][last]
        with self._lock:
            known = np.isin(new_ids, self._ids, assume_unique=True)
            if known.any():
                self._matrix()[np.searchsorted(self._ids, new_ids[known])] = rows[known]
            self._insert(new_ids[~known], rows[~known])

    def remove(self, ids: Int64Array) -> None:
        """Forget the ids that are there."""
        with self._lock:
            gone = np.isin(self._ids, np.asarray(ids, np.int64))
            if gone.any():
                self._rebuild(self._ids[~gone], self._matrix()[~gone])

    def search(
        self, queries: Float32Array, top_k: int, within: Int64Array | None = None
    ) -> tuple[Int64Array, Float32Array]:
        """Best ids and scores of each query (m, dim), both (m, ≤ top_k), best first, ties by id."""
        asked = np.ascontiguousarray(np.atleast_2d(queries), np.float32)
        with self._lock:
            allowed = None if within is None else self._rows_of(within)
            size = len(self._ids) if allowed is None else len(allowed)
            keep = min(max(top_k, 0), size)
            if keep == 0:
                return np.empty((len(asked), 0), np.int64), np.empty((len(asked), 0), np.float32)
            found = [self._best(query, keep, size, allowed) for query in asked]
        rows = np.stack([row for row, _ in found])
        return self._ids[rows], np.stack([score for _, score in found])

    def vectors(self, ids: Int64Array) -> Float32Array:
        """The stored vectors of ids, (n, dim), in that order; KeyError for an unknown id."""
        wanted = np.asarray(ids, np.int64)
        with self._lock:
            rows = np.searchsorted(self._ids, wanted)
            known = rows < len(self._ids)
            known[known] = self._ids[rows[known]] == wanted[known]
            if not known.all():
                raise KeyError(int(wanted[~known][0]))
            chosen: Float32Array = self._matrix()[rows]
        return chosen

    def _best(
        self, query: Float32Array, keep: int, size: int, allowed: Int64Array | None
    ) -> tuple[Int64Array, Float32Array]:
        """Rows and scores of the `keep` best, ties by row."""
        rows, scores = self._nearest(query, min(keep + _SLACK, size), allowed)
        order = np.lexsort((rows, -scores))[:keep]
        if len(rows) < size and scores.min() == scores[order[-1]]:
            rows, scores = self._nearest(query, size, allowed)  # the tie reaches past the slack
            order = np.lexsort((rows, -scores))[:keep]
        return rows[order], scores[order]

    def _nearest(
        self, query: Float32Array, count: int, allowed: Int64Array | None
    ) -> tuple[Int64Array, Float32Array]:
        size = len(self._ids) if allowed is None else len(allowed)
        if count == size or size <= _DIRECT_BELOW:
            every = np.arange(size) if allowed is None else allowed
            matrix = self._matrix() if allowed is None else self._matrix()[allowed]
            return every, np.round(matrix @ query, _DECIMALS)
        parameters = None if allowed is None else _only(allowed, len(self._ids))
        scores, rows = self._flat.search(query[None], count, params=parameters)
        return rows[0], np.round(scores[0], _DECIMALS)

    def _rows_of(self, ids: Int64Array) -> Int64Array:
        """Rows of the ids that are there, ascending."""
        wanted = np.unique(np.asarray(ids, np.int64))
        if not len(self._ids):
            return wanted[:0]
        rows = np.minimum(np.searchsorted(self._ids, wanted), len(self._ids) - 1)
        chosen: Int64Array = rows[self._ids[rows] == wanted]
        return chosen

    def _insert(self, ids: Int64Array, rows: Float32Array) -> None:
        if not len(ids):
            return
        if not len(self._ids) or ids[0] > self._ids[-1]:
            self._flat.add(rows)
            self._ids = np.concatenate([self._ids, ids])
            return
        merged = np.concatenate([self._ids, ids])
        order = np.argsort(merged)
        self._rebuild(merged[order], np.concatenate([self._matrix(), rows])[order])

    def _rebuild(self, ids: Int64Array, rows: Float32Array) -> None:
        flat = faiss.IndexFlatIP(self._dim)
        flat.add(np.ascontiguousarray(rows))
        self._flat, self._ids = flat, ids

    def _matrix(self) -> Float32Array:
        """FAISS's own storage as (n, dim), without a copy; valid until the next change."""
        if not len(self._ids):
            return np.empty((0, self._dim), np.float32)
        size = len(self._ids) * self._dim
        raw = faiss.rev_swig_ptr(self._flat.get_xb(), size)
        matrix: Float32Array = raw.reshape(-1, self._dim)
        return matrix


def _only(rows: Int64Array, total: int) -> Any:
    """Search parameters that allow some rows: a bitmap, three times faster than a hash set."""
    mask: BoolArray = np.zeros(total, np.bool_)
    mask[rows] = True
    bits = np.packbits(mask, bitorder="little")
    return _untyped.SearchParameters(sel=_untyped.IDSelectorBitmap(bits))
