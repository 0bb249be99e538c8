"""Per-query values and the figures that stand for them in a report."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.benchmark.intervals import Bootstrap, Statistic, point
from core.domain.arrays import Float64Array


@dataclass(frozen=True, slots=True)
class QuerySet:
    """The queries of one split and group: their ids, and what each asks for (its cluster)."""

    split: str
    group: str
    ids: tuple[str, ...]
    clusters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """One strategy's metric on every query of a set; values are (n), in its order."""

    strategy: str
    metric: str
    queries: QuerySet
    values: Float64Array

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Strategy, split, group, metric."""
        return (self.strategy, self.queries.split, self.queries.group, self.metric)


@dataclass(frozen=True, slots=True)
class Figure:
    """A named number with its 95 % interval, from n queries (photos for a rate).

    `spread` is the standard deviation over seeds, None for a single one.
    """

    strategy: str
    split: str
    group: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    spread: float | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Strategy, split, group, metric."""
        return (self.strategy, self.split, self.group, self.metric)


def statistic_of(metric: str) -> Statistic:
    """Ranks are summed up by their median, everything else by its mean."""
    return Statistic.MEDIAN if metric == "median_rank" else Statistic.MEAN


def lower_is_better(metric: str) -> bool:
    """Whether a smaller figure is the better one."""
    return metric in ("median_rank", "abstained", "ece", "ece_told") or metric.startswith(
        "violations"
    )


def figure_of(measure: Measure, bootstrap: Bootstrap) -> Figure:
    """The figure of a measure, with its interval over (clusters of) queries."""
    return pooled_figure([measure], bootstrap)


def pooled_figure(measures: Sequence[Measure], bootstrap: Bootstrap) -> Figure:
    """One metric over several seeds: the mean of the seeds' figures, and their spread.

    The interval comes from all their queries together; a photo asked for under two seeds is
    one cluster.
    """
    statistic = statistic_of(measures[0].metric)
    values = np.concatenate([m.values for m in measures])
    clusters = [cluster for m in measures for cluster in m.queries.clusters]
    interval = bootstrap.interval(values, statistic, clusters)
    singles = [point(m.values, statistic) for m in measures]
    spread = float(np.std(singles, ddof=1)) if len(singles) > 1 else None
    value = float(np.mean(singles))
    return Figure(*measures[0].key, value, interval.low, interval.high, len(values), spread)


def pooled_rate(figures: Sequence[Figure]) -> Figure:
    """A figure without queries over several seeds: its mean, extremes and spread."""
    values = [figure.value for figure in figures]
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    n = sum(figure.n for figure in figures)
    return Figure(*figures[0].key, float(np.mean(values)), min(values), max(values), n, spread)
