"""Stage 2, precision: which of the positives to keep, and which negatives to take away.

R+* are the positives of stage 1, U their union. Negatives are grouped by the concept that they
exclude; what is taken away is ∪_c ∩_{r∈c} S_r. `composition_program` holds the rows.

    max   β Σ_{i∈I+∩U} e_i  −  Σ_{i∈U∖I+} e_i          then min (Σ x_r + Σ w_r)

β = |U|/|I+∩U| may give up a target for much noise; `lossless` is β > |U|.
"""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.domain.arrays import BoolArray, Float64Array
from core.golden.composition_program import Program, Taking, direct_program, levels_program
from core.golden.lexicographic import Budget, Goal, solve_in_order
from core.golden.problem import Chosen, Problem, intersection, union, votes
from core.golden.selection import Formulation
from core.progress import Progress
from core.protocols import MipSolver


class Composed(NamedTuple):
    """Targets and non-targets in the final set, and how many retrievals make it."""

    hits: int
    noise: int
    retrievals: int


@dataclass(frozen=True, slots=True)
class CompositionOptions:
    """How to compose: what the negatives of a concept take away together, whether no target may
    be given up, and how the program is written (`direct` or `levels`)."""

    taking: Taking = Taking.INTERSECTION
    lossless: bool = False
    formulation: Formulation = Formulation.LEVELS


@dataclass(frozen=True, slots=True)
class Composition:
    """The kept positives and the chosen negatives; what they find; whether that is proven best,
    else the gap; seconds."""

    positives: tuple[Chosen, ...]
    negatives: tuple[Chosen, ...]
    values: Composed
    proven: bool
    gap: float
    seconds: float


def compose(
    problem: Problem,
    selected: tuple[Chosen, ...],
    solver: MipSolver,
    progress: Progress,
    time_limit_s: float,
    options: CompositionOptions | None = None,
) -> Composition | None:
    """Compose the positives of stage 1 with negatives; None where they find no target.

    The best so far where time runs out. Raises SolverError, Cancelled.
    """
    options, begun = options or CompositionOptions(), time.monotonic()
    covered = union(problem, selected)
    targets = covered & problem.targets
    if not targets.any():
        return None
    make = direct_program if options.formulation is Formulation.DIRECT else levels_program
    program = make(problem, selected, options.taking)
    goals = [Goal(_gain(program, covered, targets, options.lossless), True), Goal(program.count)]
    effort = (solver, progress, Budget.of(time_limit_s))
    reached = solve_in_order(program.rows, goals, program.integer, program.start, effort)
    positives, negatives = program.chosen(reached.x)
    values = composed_values(problem, positives, negatives, options.taking)
    seconds = time.monotonic() - begun
    return Composition(positives, negatives, values, reached.proven, reached.gap, seconds)


def composed_values(
    problem: Problem,
    positives: tuple[Chosen, ...],
    negatives: tuple[Chosen, ...],
    taking: Taking = Taking.INTERSECTION,
) -> Composed:
    """What a composition finds, counted on the images themselves."""
    final = final_set(problem, positives, negatives, taking)
    hits = int(np.count_nonzero(final & problem.targets))
    noise = int(np.count_nonzero(final)) - hits
    return Composed(hits, noise, len(positives) + len(negatives))


def final_set(
    problem: Problem,
    positives: tuple[Chosen, ...],
    negatives: tuple[Chosen, ...],
    taking: Taking = Taking.INTERSECTION,
) -> BoolArray:
    """The images (images,) that remain: the union of the positives without what is taken away."""
    kept = union(problem, positives)
    for families in problem.negatives.values():
        kept &= ~_taken(problem, [n for n in negatives if n.family in families], taking)
    return kept


def _taken(problem: Problem, chosen: list[Chosen], taking: Taking) -> BoolArray:
    match taking:
        case Taking.INTERSECTION:
            return intersection(problem, chosen)
        case Taking.MAJORITY:
            return np.asarray(2 * votes(problem, chosen) > len(chosen))
        case Taking.UNION:
            return union(problem, chosen)
        case Taking.NOTHING:
            return np.zeros(problem.images, np.bool_)


def _gain(program: Program, covered: BoolArray, targets: BoolArray, lossless: bool) -> Float64Array:
    """The first goal in whole numbers: β times |I+∩U| where β is |U|/|I+∩U|."""
    many, few = int(covered.sum()), int(targets.sum())
    hit, miss = (many + 1, 1) if lossless else (many, few)
    return np.asarray(hit * program.hits - miss * program.noise)
