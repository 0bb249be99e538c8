"""Stage 1 with its rows one by one: the reference."""

import numpy as np

from core.domain.arrays import Float64Array
from core.domain.mip_rows import Rows
from core.golden.lexicographic import Goal, solve_in_order
from core.golden.problem import Chosen, Problem
from core.golden.selection_value import Effort, Selected


def select_direct(problem: Problem, effort: Effort) -> Selected:
    """Choose with one column a retrieval, image and tool; raises SolverError, Cancelled."""
    retrievals = [
        Chosen(f, level)
        for f in problem.positives
        for level in range(len(problem.families[f].cutoffs))
    ]
    tools = sorted({problem.families[f].tool for f in problem.positives})
    x, images = len(retrievals), problem.images
    columns = x + images + len(tools)
    rows = _rows(problem, retrievals, tools)
    covers, noise, used, count = (np.zeros(columns) for _ in range(4))
    covers[x : x + images] = problem.targets
    noise[x : x + images] = ~problem.targets
    used[x + images :] = 1
    count[:x] = 1
    goals = [Goal(covers, True), Goal(noise), Goal(used, True), Goal(count)]
    whole = np.ones(columns, np.bool_)
    reached = solve_in_order(rows, goals, whole, np.zeros(columns), effort.parts)
    return Selected(_chosen(retrievals, reached.x), reached.proven, reached.gap)


def _chosen(retrievals: list[Chosen], x: Float64Array) -> list[Chosen]:
    return [one for one, value in zip(retrievals, x, strict=False) if value > 0.5]


def _rows(problem: Problem, retrievals: list[Chosen], tools: list[str]) -> Rows:
    rows, x, images = Rows(), len(retrievals), problem.images
    finders: list[list[int]] = [[] for _ in range(images)]
    of_family: dict[int, list[int]] = {}
    of_tool: dict[str, list[int]] = {tool: [] for tool in tools}
    for column, one in enumerate(retrievals):
        family = problem.families[one.family]
        found = family.found(one.level)
        of_family.setdefault(one.family, []).append(column)
        if problem.targets[found].any():
            of_tool[family.tool].append(column)
        for image in found.tolist():
            finders[image].append(column)
    for image, by in enumerate(finders):
        if problem.targets[image]:
            rows.add([*((r, 1.0) for r in by), (x + image, -1.0)], 0.0, np.inf)
        else:
            for r in by:
                rows.add([(x + image, 1.0), (r, -1.0)], 0.0, np.inf)
    for members in of_family.values():
        rows.add_sum(members, 0.0, 1.0)
    for number, tool in enumerate(tools):
        rows.add([*((r, 1.0) for r in of_tool[tool]), (x + images + number, -1.0)], 0.0, np.inf)
    return rows
