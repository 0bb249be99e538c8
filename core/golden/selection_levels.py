"""Stage 1 made small: ordered binaries, images of equal entries merged, cutoffs left out that add
no target or find more noise alone than a known choice does, and all that can be covered demanded.

Without a limit on retrievals each target that any family finds can be covered together with all
others, so that the first goal is counted rather than solved. A cutoff that adds no target to the
one before finds the same targets with the same tool among more noise.
"""

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.domain.mip_rows import Rows
from core.golden.levels import Levels, merged, useful_cutoffs
from core.golden.lexicographic import Goal, solve_in_order
from core.golden.problem import Chosen, Problem, union
from core.golden.selection_additive import select_additive
from core.golden.selection_value import Effort, Selected


def select_levels(problem: Problem, effort: Effort) -> Selected:
    """Choose; begins with what `additive` finds. Raises SolverError, Cancelled."""
    known = select_additive(problem, effort).chosen
    levels = Levels.of(problem.positives, _promising(problem, known))
    entries = levels.entries(problem)
    wanted, _ = merged(entries[:, problem.targets])
    noise, counts = merged(entries[:, ~problem.targets])
    tools = _tools(problem, levels)
    s, z = levels.count, sum(len(group) > 1 for group in noise)
    columns = s + z + len(tools)
    rows = Rows()
    levels.add_order(rows)
    for group in wanted:
        rows.add_sum(group.tolist(), 1.0, np.inf)
    charge = _add_noise(rows, noise, counts, columns, s)
    for number, members in enumerate(tools.values()):
        rows.add([*((c, 1.0) for c in members), (s + z + number, -1.0)], 0.0, np.inf)
    used, count = np.zeros(columns), np.zeros(columns)
    used[s + z :] = 1
    count[levels.used] = 1
    integer = np.zeros(columns, np.bool_)
    integer[:s] = True  # the others are whole where these are
    integer[s + z :] = True
    start = _completed(levels.point(known, columns), noise, tools, s)
    goals = [Goal(charge), Goal(used, True), Goal(count)]
    reached = solve_in_order(rows, goals, integer, start, effort.parts)
    return Selected(list(levels.chosen(reached.x)), reached.proven, reached.gap)


def _promising(problem: Problem, known: list[Chosen]) -> list[Int64Array]:
    """Of each positive family the useful cutoffs that alone find no more noise than `known`."""
    most = int(np.count_nonzero(union(problem, known) & ~problem.targets))
    kept = []
    for family, cutoffs in zip(problem.positives, useful_cutoffs(problem), strict=True):
        targets = problem.targets[problem.families[family].ranking]
        noise = np.cumsum(~targets)
        sizes = [len(problem.families[family].found(int(level))) for level in cutoffs]
        kept.append(cutoffs[[noise[size - 1] <= most for size in sizes]])
    return kept


def _add_noise(
    rows: Rows, groups: list[Int64Array], counts: Int64Array, columns: int, first: int
) -> Float64Array:
    """What each column costs in noise; images that one binary alone finds need no column."""
    charge, column = np.zeros(columns), first
    for group, count in zip(groups, counts.tolist(), strict=True):
        if len(group) == 1:
            charge[group[0]] += count
            continue
        charge[column] = count
        for entry in group.tolist():
            rows.add([(column, 1.0), (entry, -1.0)], 0.0, np.inf)
        column += 1
    return charge


def _tools(problem: Problem, levels: Levels) -> dict[str, list[int]]:
    """By tool the columns that say that one of its families finds a target: the first kept."""
    tools: dict[str, list[int]] = {}
    for family, kept, first in zip(levels.families, levels.kept, levels.first, strict=True):
        if len(kept):
            tools.setdefault(problem.families[family].tool, []).append(first)
    return tools


def _completed(
    x: Float64Array, noise: list[Int64Array], tools: dict[str, list[int]], first: int
) -> Float64Array:
    """The point with the other columns as the binaries of families demand."""
    column = first
    for group in noise:
        if len(group) > 1:
            x[column] = x[group].max()
            column += 1
    for members in tools.values():
        x[column] = x[members].max()
        column += 1
    return x
