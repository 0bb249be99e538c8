"""Solves a program for several goals in order: each holds what those before it reached.

One weighted objective would need weights below a solver's tolerances. The point to begin with is
kept here and never handed to the solver: HiGHS 1.16 gives points that it is handed back as optimal
where its presolve is on, though better ones exist.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float64Array
from core.domain.mip import MipStatus
from core.domain.mip_rows import Rows
from core.progress import Progress
from core.protocols import MipSolver


@dataclass(frozen=True, eq=False)
class Goal:
    """What to maximise, or to minimise: coefficients (columns,), whole numbers."""

    cost: Float64Array
    maximise: bool = False


@dataclass(frozen=True, eq=False)
class Reached:
    """The point found and the value of each goal there; whether all are proven, else the gap
    (relative, of the first goal that is not)."""

    x: Float64Array
    values: tuple[int, ...]
    proven: bool
    gap: float


@dataclass(frozen=True, slots=True)
class Budget:
    """Until when to solve, in seconds of the monotonic clock."""

    until: float

    @classmethod
    def of(cls, seconds: float) -> "Budget":
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, never below 0."""
        return max(self.until - time.monotonic(), 0.0)


def solve_in_order(
    rows: Rows,
    goals: Sequence[Goal],
    integer: BoolArray,
    start: Float64Array,
    effort: tuple[MipSolver, Progress, Budget],
) -> Reached:
    """The best point by the first goal, among those the best by the second, and so on.

    `start` is feasible; it is the answer where time runs out at once. Rows are added to `rows`.
    Raises SolverError, Cancelled.
    """
    solver, progress, budget = effort
    x, proven, gap = start, True, 0.0
    for goal in goals:
        cost = goal.cost if goal.maximise else -goal.cost
        if cost @ x >= np.maximum(cost, 0).sum():  # no point can be better
            rows.add(_terms(cost), float(round(float(cost @ x))), np.inf)
            continue
        found = solver.solve(rows.maximise(cost, integer), progress, budget.left)
        if found.x is not None and cost @ found.x >= cost @ x:
            x = found.x
        if found.status is not MipStatus.OPTIMAL:
            proven, gap = False, min(gap or found.gap, found.gap)
            break
        rows.add(_terms(cost), float(round(float(cost @ x))), np.inf)
    return Reached(x, tuple(round(float(goal.cost @ x)) for goal in goals), proven, gap)


def _terms(cost: Float64Array) -> list[tuple[int, float]]:
    return [(int(column), float(cost[column])) for column in np.flatnonzero(cost)]
