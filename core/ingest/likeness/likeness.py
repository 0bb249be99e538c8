"""How alike two photos are: the cosine of their vectors, else the bits of their hashes."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float32Array, Int64Array
from core.domain.photo import PhotoId
from core.ingest.likeness.near import bits_apart
from core.store.library import Library
from core.store.looks import LookColumns


@dataclass(frozen=True, slots=True)
class Likeness:
    """Asks the library for the vectors of the photos at hand alone, so that memory is bounded."""

    library: Library
    model: str
    looks: LookColumns

    def cosines(self, left: Int64Array, right: Int64Array) -> Float32Array:
        """Cosine of each pair of rows of the columns; NaN where one has no vector."""
        rows, where = np.unique(np.concatenate([left, right]), return_inverse=True)
        if not len(rows):
            return np.empty(0, np.float32)
        has, vectors = self._vectors(rows)
        one, other = where[: len(left)], where[len(left) :]
        cosines = np.einsum("nd,nd->n", vectors[one], vectors[other])
        return np.where(has[one] & has[other], cosines, np.nan).astype(np.float32)

    def _vectors(self, rows: Int64Array) -> tuple[BoolArray, Float32Array]:
        """Which of the rows have a vector, and the vectors (zeros for the others)."""
        ids = self.looks.ids[rows]
        found, vectors = self.library.vectors.of(self.model, [PhotoId(int(i)) for i in ids])
        has = np.isin(ids, np.array(found, np.int64))
        if not len(found):
            return has, np.zeros((len(rows), 1), np.float32)
        full = np.zeros((len(rows), vectors.shape[1]), np.float32)
        order = np.argsort(ids)
        full[order[has[order]]] = vectors[np.argsort(np.array(found, np.int64))]
        return has, full

    def bits(self, left: Int64Array, right: Int64Array) -> Int64Array:
        """Bits in which the hashes of each pair differ; 64 where one has none."""
        looks = self.looks
        apart = bits_apart(looks.hashes[left], looks.hashes[right])
        return np.where(looks.hashed[left] & looks.hashed[right], apart, 64)

    def alike(self, left: Int64Array, right: Int64Array, above: float, within: int) -> BoolArray:
        """Which pairs have a cosine from `above` on, or without vectors so few bits apart."""
        cosines = self.cosines(left, right)
        unseen = np.isnan(cosines)
        return np.where(unseen, self.bits(left, right) <= within, cosines >= above)
