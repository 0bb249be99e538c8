"""Stage 1, recall: the positive retrievals that cover the targets with the least noise.

    lexicographic:  max Σ_{i∈I+} y_i ;  min Σ_{i∈I−} z_i ;  max Σ_f t_f ;  min Σ_r x_r
    s.t.  y_i ≤ Σ_{r∋i} x_r (1b);  z_i ≥ x_r (1c);  Σ_{r∈F} x_r ≤ 1 (1d);
          t_f ≤ Σ_{r of tool f, S_r∩I+≠∅} x_r (1e)

`direct` has these rows one by one; `levels` is the same program made small; `additive` charges
noise once a retrieval, which is fast and not exact.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.golden.lexicographic import Budget
from core.golden.problem import Chosen, Problem, union
from core.golden.selection_additive import select_additive
from core.golden.selection_direct import select_direct
from core.golden.selection_levels import select_levels
from core.golden.selection_value import Effort, Selected, Values
from core.progress import Progress
from core.protocols import MipSolver


class Formulation(StrEnum):
    """How the program is written."""

    DIRECT = "direct"
    LEVELS = "levels"
    ADDITIVE = "additive"


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen positives; targets covered, noise, tools and retrievals; whether that is proven,
    else the gap; the formulation and the seconds it took."""

    chosen: tuple[Chosen, ...]
    values: Values
    proven: bool
    gap: float
    formulation: Formulation
    seconds: float


_SOLVE: dict[Formulation, Callable[[Problem, Effort], Selected]] = {
    Formulation.DIRECT: select_direct,
    Formulation.LEVELS: select_levels,
    Formulation.ADDITIVE: select_additive,
}


def select(
    problem: Problem,
    solver: MipSolver,
    progress: Progress,
    time_limit_s: float,
    formulation: Formulation = Formulation.LEVELS,
) -> Selection:
    """Choose the positives; the best so far where time runs out. Raises SolverError, Cancelled."""
    begun = time.monotonic()
    found = _SOLVE[formulation](problem, Effort(solver, progress, Budget.of(time_limit_s)))
    chosen = tuple(sorted(found.chosen))
    seconds = time.monotonic() - begun
    return Selection(
        chosen, values_of(problem, chosen), found.proven, found.gap, formulation, seconds
    )


def values_of(problem: Problem, chosen: tuple[Chosen, ...]) -> Values:
    """The value of each goal, counted on the images themselves."""
    covered = union(problem, chosen)
    useful = {
        problem.families[one.family].tool
        for one in chosen
        if problem.targets[problem.families[one.family].found(one.level)].any()
    }
    targets = int(np.count_nonzero(covered & problem.targets))
    return Values(targets, int(np.count_nonzero(covered)) - targets, len(useful), len(chosen))
