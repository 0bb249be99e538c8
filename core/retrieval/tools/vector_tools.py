"""Tools that rank by a vector: text to image, text to proxy, image to image, and their sum."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array, Int64Array
from core.domain.retrieval import Ranking
from core.protocols import ImageTextEncoder, TextEncoder, VectorIndex
from core.retrieval.reference import Reference
from core.retrieval.tools.protocol import nothing, ranking


@dataclass(frozen=True, slots=True)
class ImageTextTool:
    """The query's text against image vectors."""

    encoder: ImageTextEncoder
    images: VectorIndex
    name: str = "image-text"
    calibrated: bool = True

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """Photos nearest to the text."""
        if not query.strip():
            return nothing(self.name)
        return _nearest(
            self.name, self.images, self.encoder.encode_texts([query])[0], within, limit
        )


@dataclass(frozen=True, slots=True)
class TextConceptTool:
    """The query's meaning as a sentence against the photos' semantic proxies."""

    sentences: TextEncoder
    proxies: VectorIndex
    name: str = "text-concept"
    calibrated: bool = False

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """Photos whose proxies mean nearly the same."""
        if not query.strip():
            return nothing(self.name)
        vector = self.sentences.encode_texts([query])[0]
        return _nearest(self.name, self.proxies, vector, within, limit)


@dataclass(frozen=True, slots=True)
class VisualTool:
    """The reference photo against image vectors.

    The reference's own photo leaves the ranking unless `keep_reference` (a benchmark's switch).
    """

    images: VectorIndex
    keep_reference: bool = False
    name: str = "visual"
    calibrated: bool = False

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """Photos that look like the reference; the text is not read."""
        if reference is None:
            return nothing(self.name)
        return without(
            None if self.keep_reference else reference.photo_id,
            _nearest(self.name, self.images, reference.vector, within, limit + 1),
            limit,
        )


@dataclass(frozen=True, slots=True)
class FusedTool:
    """The sum of the query's and the reference's vectors: plain composed search, no words read."""

    encoder: ImageTextEncoder
    images: VectorIndex
    keep_reference: bool = False
    name: str = "fused"
    calibrated: bool = False

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """Photos nearest to the sum of what there is of the two vectors."""
        parts = []
        if query.strip():
            parts.append(self.encoder.encode_texts([query])[0])
        if reference is not None:
            parts.append(reference.vector)
        if not parts:
            return nothing(self.name)
        found = _nearest(self.name, self.images, _sum(parts), within, limit + 1)
        own = reference.photo_id if reference and not self.keep_reference else None
        return without(own, found, limit)


def without(photo_id: int | None, found: Ranking, limit: int) -> Ranking:
    """The first `limit` of a ranking, one photo left out."""
    kept = [
        pair for pair in zip(found.photo_ids, found.scores, strict=True) if pair[0] != photo_id
    ][:limit]
    return Ranking(found.tool, tuple(i for i, _ in kept), tuple(score for _, score in kept))


def _sum(parts: list[Float32Array]) -> Float32Array:
    total = np.stack(parts).sum(axis=0, dtype=np.float32)
    norm = np.float32(max(float(np.linalg.norm(total)), 1e-12))
    unit: Float32Array = np.divide(total, norm, dtype=np.float32)
    return unit


def _nearest(
    tool: str, index: VectorIndex, vector: Float32Array, within: Int64Array | None, limit: int
) -> Ranking:
    ids, scores = index.search(vector[None], limit, within)
    return ranking(tool, ids[0], scores[0])
