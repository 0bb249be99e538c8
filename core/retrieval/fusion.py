"""Rank fusion: S(I) = Σ_m w_m / (r_m(I) + τ)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.photo import PhotoId
from core.domain.retrieval import Ranking


@dataclass(frozen=True, slots=True)
class WeightedRanking:
    """A ranking and how much it counts, w_m ≥ 0."""

    ranking: Ranking
    weight: float


def fuse(
    rankings: Sequence[WeightedRanking], candidates: Iterable[PhotoId], tau: float
) -> list[tuple[PhotoId, float]]:
    """Every candidate with its score S, best first, ties by id; ranks count from 1.

    A photo that a ranking does not hold gets nothing from it, as if its rank were infinite: a
    short ranking then neither helps nor punishes what it did not see.
    """
    ids = np.unique(np.fromiter(candidates, np.int64))
    scores = np.zeros(len(ids), np.float64)
    for weighted in rankings:
        ranked = np.array(weighted.ranking.photo_ids, np.int64)
        rows = np.searchsorted(ids, ranked)
        held = rows < len(ids)
        held[held] = ids[rows[held]] == ranked[held]
        gains = weighted.weight / (np.arange(1, len(ranked) + 1) + tau)
        scores[rows[held]] += gains[held]
    order = np.lexsort((ids, -scores))
    return [(PhotoId(int(ids[row])), float(scores[row])) for row in order]
