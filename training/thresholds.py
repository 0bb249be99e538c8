"""Chooses cut-offs on held-out photos."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float32Array

_GRID = np.linspace(0.005, 0.995, 199)
COMMON_EXCLUSIONS = (
    "people",
    "dog",
    "child",
    "water",
    "car",
    "grass",
    "snow",
    "bicycle",
    "ball",
    "beach",
)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Probabilities (k,) of presence and whether the thing was there (k,)."""

    probabilities: Float32Array
    labels: BoolArray


def least_with_precision(pairs: Pairs, precision: float) -> float:
    """The least cut-off from which at least this share is right, 0.995 where there is none."""
    order = np.argsort(-pairs.probabilities, kind="stable")
    hits = np.cumsum(pairs.labels[order])
    right = np.asarray(hits / np.arange(1, len(order) + 1), np.float32)
    sorted_probabilities = pairs.probabilities[order]
    good = [cut for cut in _GRID if _share(right, sorted_probabilities, cut) >= precision]
    return float(min(good, default=_GRID[-1]))


def greatest_with_misses(pairs: Pairs, misses: float) -> float:
    """The greatest cut-off below which at most this share of what is there falls."""
    return float(np.quantile(pairs.probabilities[pairs.labels], misses))


def best_mean_f(groups: list[Pairs]) -> tuple[float, float]:
    """The cut-off of the best F₁, averaged over groups, and that average."""
    means = [float(np.mean([_f1(pairs, cut) for pairs in groups])) for cut in _GRID]
    best = int(np.argmax(means))
    return float(_GRID[best]), means[best]


def nothing_matches(answered: Float32Array, nonsense: Float32Array) -> tuple[float, float, float]:
    """The cut-off on a query's best probability, and the shares of each kind that fall below it.

    It rejects as much nonsense as it can while at most 5 % of answered queries are rejected.
    """
    cut = float(np.quantile(answered, 0.05))
    return cut, float((answered < cut).mean()), float((nonsense < cut).mean())


def near_duplicate(vectors: Float32Array) -> float:
    """The cosine that only one photo in a hundred has with its nearest other photo."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    return float(np.quantile(cosines.max(1), 0.99))


def _share(right: Float32Array, probabilities: Float32Array, cut: float) -> float:
    above = int((probabilities >= cut).sum())
    return float(right[above - 1]) if above else 0.0


def _f1(pairs: Pairs, cut: float) -> float:
    chosen = pairs.probabilities >= cut
    hit = float((chosen & pairs.labels).sum())
    total = float(chosen.sum() + pairs.labels.sum())
    return 2 * hit / total if total else 0.0
