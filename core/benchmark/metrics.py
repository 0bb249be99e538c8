"""The field's metrics, each of one query; a report averages them (or takes the median rank).

Rankings list distinct photo ids, best first. Shares are between 0 and 1.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from core.domain.arrays import BoolArray, Float64Array, Int64Array


class Ties(StrEnum):
    """Which of equally scored photos comes first.

    AGAINST: the target comes last, as GeneCIS demands. BY_ID: the lower column or id.
    """

    AGAINST = "against"
    BY_ID = "by id"


def target_ranks(
    scores: npt.NDArray[np.floating[Any]], targets: Int64Array, ties: Ties = Ties.AGAINST
) -> Int64Array:
    """Rank from 1 of each query's target among the scores, shape (queries).

    `scores` is (queries, photos); `targets` says each query's column.
    """
    own = scores[np.arange(len(scores)), targets][:, None]
    equal = scores == own
    if ties is Ties.BY_ID:
        equal &= np.arange(scores.shape[1]) <= targets[:, None]
    ranks: Int64Array = ((scores > own).sum(1) + equal.sum(1)).astype(np.int64)
    return ranks


def order(
    scores: npt.NDArray[np.floating[Any]], relevant: BoolArray, ties: Ties = Ties.AGAINST
) -> list[int]:
    """Columns of one query's scores, best first; AGAINST puts relevant ones last among equals."""
    last = relevant if ties is Ties.AGAINST else np.zeros_like(relevant)
    return [int(i) for i in np.lexsort((last, -scores))]


def rank_in(ranked: Sequence[int], target: int, missing: int) -> int:
    """Rank from 1 of the target in a ranking, `missing` where it is not there."""
    return ranked.index(target) + 1 if target in ranked else missing


def recall_of_one(ranks: Int64Array, k: int) -> Float64Array:
    """Recall@k on the single target, by its rank: 1 where rank ≤ k, else 0; shape of `ranks`."""
    return (ranks <= k).astype(np.float64)


def recall_of_all(ranked: Sequence[int], relevant: Collection[int], k: int) -> float:
    """Recall@k over all targets: the share of them among the first k; 0 without targets."""
    return _hits(ranked, relevant, k).sum() / len(relevant) if relevant else 0.0


def average_precision(ranked: Sequence[int], relevant: Collection[int], k: int) -> float:
    """AP@K = Σ_{k≤K} P(k)·rel(k) / min(|GT|, K), as CIRCO defines it; 0 without targets."""
    if not relevant:
        return 0.0
    hits = _hits(ranked, relevant, k)
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float((precision * hits).sum()) / min(len(relevant), k)


def ndcg(ranked: Sequence[int], relevant: Collection[int], k: int) -> float:
    """nDCG@K with gains 0 or 1: Σ_{k≤K} rel(k)/log2(k+1) over that of the ideal ranking."""
    if not relevant:
        return 0.0
    hits = _hits(ranked, relevant, k)
    ideal = _discounts(min(len(relevant), k)).sum()
    return float((hits * _discounts(len(hits))).sum() / ideal)


def violations(ranked: Sequence[int], unwanted: Collection[int], k: int) -> float:
    """Violations@k: the share of unwanted photos among the first k shown; 0 if none is shown."""
    hits = _hits(ranked, unwanted, k)
    return float(hits.mean()) if len(hits) else 0.0


@dataclass(frozen=True, slots=True)
class SetScores:
    """How well a set of photos matches the wanted set."""

    precision: float
    recall: float
    f1: float
    exact_match: float


def set_scores(found: Collection[int], wanted: Collection[int]) -> SetScores:
    """Set precision, recall, F1 and exact match; two empty sets match exactly, one scores 0."""
    both, either = set(found) & set(wanted), set(found) | set(wanted)
    if not either:
        return SetScores(1.0, 1.0, 1.0, 1.0)
    sizes = len(set(found)), len(set(wanted))
    precision = len(both) / sizes[0] if sizes[0] else 0.0
    recall = len(both) / sizes[1] if sizes[1] else 0.0
    return SetScores(precision, recall, 2 * len(both) / sum(sizes), float(both == either))


def _hits(ranked: Sequence[int], relevant: Collection[int], k: int) -> Float64Array:
    wanted = set(relevant)
    return np.array([photo in wanted for photo in ranked[:k]], np.float64)


def _discounts(n: int) -> Float64Array:
    return 1.0 / np.log2(np.arange(2, n + 2))
