"""Bootstrap intervals: how far a figure would move had other queries been drawn.

Queries are resampled with replacement, in clusters where several ask for the same photo (five
captions of one photo are not five independent queries). Intervals are plain percentiles of the
resampled figures. The same queries and seed give the same resamples, so that two systems'
figures are paired.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.domain.arrays import Float64Array, Int64Array

RESAMPLES = 2000
_CHUNK = 100
"""Resamples weighed at once for a median, which bounds the memory."""


class Statistic(StrEnum):
    """What a figure takes of its queries' values."""

    MEAN = "mean"
    MEDIAN = "median"


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How to resample: a seed and how often; the level is the share that an interval covers."""

    seed: int = 0
    resamples: int = RESAMPLES
    level: float = 0.95

    def figures(
        self,
        values: Float64Array,
        statistic: Statistic = Statistic.MEAN,
        clusters: Sequence[str] | None = None,
    ) -> Float64Array:
        """The statistic of each resample of the per-query values (n); shape (resamples)."""
        members = _members(clusters, len(values))
        if statistic is Statistic.MEDIAN:
            return np.concatenate([_medians(values, c[:, members]) for c in self._counts(members)])
        sums, sizes = np.bincount(members, values), np.bincount(members)
        return np.concatenate([c @ sums / (c @ sizes) for c in self._counts(members)])

    def interval(
        self,
        values: Float64Array,
        statistic: Statistic = Statistic.MEAN,
        clusters: Sequence[str] | None = None,
    ) -> Interval:
        """The statistic of per-query values (n > 0) with its percentile interval."""
        value = point(values, statistic)
        low, high = self.percentiles(self.figures(values, statistic, clusters))
        return Interval(value, low, high)

    def percentiles(self, figures: Float64Array) -> tuple[float, float]:
        """The interval's ends among resampled figures."""
        tail = (1.0 - self.level) / 2.0
        low, high = np.quantile(figures, (tail, 1.0 - tail))
        return float(low), float(high)

    def _counts(self, members: Int64Array) -> Iterator[Int64Array]:
        """How often each cluster is drawn, (≤ chunk, clusters) at a time."""
        total = int(members.max()) + 1
        random = np.random.default_rng(self.seed)
        for start in range(0, self.resamples, _CHUNK):
            n = min(_CHUNK, self.resamples - start)
            drawn = random.integers(0, total, (n, total)) + np.arange(n)[:, None] * total
            yield np.bincount(drawn.ravel(), minlength=n * total).reshape(n, total)


def point(values: Float64Array, statistic: Statistic) -> float:
    """The statistic of per-query values."""
    return float(np.median(values) if statistic is Statistic.MEDIAN else np.mean(values))


def _members(clusters: Sequence[str] | None, n: int) -> Int64Array:
    """The cluster index of each query; each its own cluster where none is named."""
    if clusters is None:
        return np.arange(n, dtype=np.int64)
    return np.unique(np.asarray(clusters), return_inverse=True)[1].astype(np.int64)


def _medians(values: Float64Array, weights: Int64Array) -> Float64Array:
    """The median of values (n) repeated by whole weights (m, n), for each row; shape (m)."""
    order = np.argsort(values, kind="stable")
    sorted_values, reached = values[order], np.cumsum(weights[:, order], axis=1)
    half = reached[:, -1:] / 2.0
    lower = sorted_values[(reached >= half).argmax(1)]
    upper = sorted_values[(reached > half).argmax(1)]
    medians: Float64Array = (lower + upper) / 2.0
    return medians
