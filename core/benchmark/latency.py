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
    return [
        Latency(strategy, stage, *(float(p) for p in np.percentile(values, (50, 95))), len(values))
        for stage, values in stages.items()
    ]
