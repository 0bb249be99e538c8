"""Stage 1 with noise charged once a retrieval: fast, not exact where retrievals overlap.

    min Σ_r |S_r ∩ I−| x_r   with every target covered that can be

Charging each non-target 1/n_i a retrieval instead, n_i the families that find it at all, can only
charge less than the truth: that program's optimum is a bound, and the gap between the two is told.
"""

import math

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.domain.mip import MipStatus
from core.domain.mip_rows import Rows
from core.golden.levels import Levels, merged, useful_cutoffs
from core.golden.lexicographic import Goal, solve_in_order
from core.golden.problem import NOWHERE, Problem, union
from core.golden.selection_value import Effort, Selected

_SLACK = 1e-6


def select_additive(problem: Problem, effort: Effort) -> Selected:
    """Choose; proven only where the bound meets the noise. Raises SolverError, Cancelled."""
    levels = Levels.of(problem.positives, useful_cutoffs(problem))
    entries = levels.entries(problem)
    finds = entries[:, ~problem.targets]
    cost, count = _charges(levels, finds, np.ones(finds.shape[1])), np.zeros(levels.count)
    count[levels.used] = 1
    whole, everything = np.ones(levels.count, np.bool_), np.ones(levels.count)
    rows = _rows(problem, levels, entries)
    reached = solve_in_order(rows, [Goal(cost), Goal(count)], whole, everything, effort.parts)
    chosen = list(levels.chosen(reached.x))
    noise = int(np.count_nonzero(union(problem, chosen) & ~problem.targets))
    gap = (noise - _bound(problem, levels, entries, effort)) / max(noise, 1)
    return Selected(chosen, gap <= 0, max(gap, 0.0))


def _rows(problem: Problem, levels: Levels, entries: Int64Array) -> Rows:
    rows = Rows()
    levels.add_order(rows)
    for group in merged(entries[:, problem.targets])[0]:
        rows.add_sum(group.tolist(), 1.0, np.inf)
    return rows


def _charges(levels: Levels, finds: Int64Array, each: Float64Array) -> Float64Array:
    """What each binary costs: the images that it is the first of its family to find."""
    cost = np.zeros(levels.count)
    for row in finds:
        found = row != NOWHERE
        np.add.at(cost, row[found], each[found])
    return cost


def _bound(problem: Problem, levels: Levels, entries: Int64Array, effort: Effort) -> int:
    """No selection that covers as much has less noise; 0 where there is no time to tell."""
    finds = entries[:, ~problem.targets]
    families = (finds != NOWHERE).sum(axis=0)
    cost = _charges(levels, finds, 1 / np.maximum(families, 1))
    model = _rows(problem, levels, entries).maximise(-cost)
    solver, progress, budget = effort.parts
    found = solver.solve(model, progress, budget.left)
    is_bound = found.status is MipStatus.OPTIMAL
    return max(math.ceil(-found.objective - _SLACK), 0) if is_bound else 0
