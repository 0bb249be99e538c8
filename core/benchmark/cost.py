"""What some work took: seconds on the clock and of processors."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the clock, and of processors (of processes too that have ended meanwhile)."""

    wall_s: float
    cpu_s: float

    def rate(self, photos: int) -> float:
        """Photos a second of the clock."""
        return photos / self.wall_s if self.wall_s > 0 else 0.0


def cost_of(work: Callable[[], None]) -> Cost:
    """Do the work once."""
    started, before = time.perf_counter(), os.times()
    work()
    wall, after = time.perf_counter() - started, os.times()
    return Cost(wall, sum(after[:4]) - sum(before[:4]))


def best_of(costs: Sequence[Cost]) -> Cost:
    """The least of each over some rounds: what other programs took goes out."""
    return Cost(min(cost.wall_s for cost in costs), min(cost.cpu_s for cost in costs))
