"""How long each stage takes: percentiles of seconds over single queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Latency:
    """Median and 95th percentile of a stage's seconds, of n queries asked one by one."""

    strategy: str
    stage: str
    p50: float
    p95: float
    n: int


def latencies(strategy: str, queries: Iterable[Mapping[str, float]]) -> list[Latency]:
    """The percentiles of each stage over the queries that went through it, in first-seen order."""
    stages: dict[str, list[float]] = {}
    for seconds in queries:
        for stage, value in seconds.items():
            stages.setdefault(stage, []).append(value)
    return [_latency(strategy, stage, values) for stage, values in stages.items()]


def _latency(strategy: str, stage: str, values: list[float]) -> Latency:
    p50, p95 = np.percentile(values, (50, 95))
    return Latency(strategy, stage, float(p50), float(p95), len(values))
