"""How honest probabilities are, and how well they tell what is there from what is not."""

import numpy as np

from core.domain.arrays import BoolArray, Float32Array


def auc(scores: Float32Array, labels: BoolArray) -> float:
    """The chance that a positive scores above a negative."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    positives = int(labels.sum())
    negatives = len(labels) - positives
    return float((ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def reliability(
    probabilities: Float32Array, labels: BoolArray, bins: int = 10
) -> list[tuple[float, float, int]]:
    """Mean probability, share of positives and count of each of the equal-width bins in use."""
    bin_of = np.minimum((probabilities * bins).astype(int), bins - 1)
    inside = [bin_of == k for k in range(bins)]
    return [
        (float(probabilities[m].mean()), float(labels[m].mean()), int(m.sum()))
        for m in inside
        if m.any()
    ]


def calibration_error(probabilities: Float32Array, labels: BoolArray) -> float:
    """Expected calibration error over ten equal-width bins."""
    table = reliability(probabilities, labels)
    return sum(abs(p - share) * n for p, share, n in table) / len(labels)


def precision_and_recall(chosen: BoolArray, labels: BoolArray) -> tuple[float, float]:
    """The share of the chosen that is right, and of the right that is chosen; 0 where none is."""
    hits = float((chosen & labels).sum())
    return hits / max(float(chosen.sum()), 1.0), hits / max(float(labels.sum()), 1.0)
