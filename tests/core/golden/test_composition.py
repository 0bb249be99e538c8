"""Stage 2: what is kept and taken away is the best there is, however the program is written."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.highs import HighsSolver
from core.golden.composition import (
    Composed,
    Composition,
    CompositionOptions,
    compose,
    composed_values,
    final_set,
)
from core.golden.composition_program import Taking
from core.golden.problem import Chosen, Family, Problem, union
from core.golden.selection import Formulation, select
from core.progress import Progress
from tests.core.golden.problems import made_up
from tests.core.golden.test_selection import problems

LIMIT_S = 60.0
BOTH = (Formulation.DIRECT, Formulation.LEVELS)


def selected(problem: Problem) -> tuple[Chosen, ...]:
    """Every positive family at its largest cutoff: more overlap than an optimum would have."""
    return tuple(Chosen(f, len(problem.families[f].cutoffs) - 1) for f in problem.positives)


def solved(
    problem: Problem, chosen: tuple[Chosen, ...], options: CompositionOptions
) -> Composition | None:
    return compose(problem, chosen, HighsSolver(), Progress(), LIMIT_S, options)


def worth(
    problem: Problem, chosen: tuple[Chosen, ...], lossless: bool, c: Composed
) -> tuple[int, int]:
    covered = union(problem, chosen)
    many, few = int(covered.sum()), int((covered & problem.targets).sum())
    hit, miss = (many + 1, 1) if lossless else (many, few)
    return hit * c.hits - miss * c.noise, -c.retrievals


def best_by_force(
    problem: Problem, chosen: tuple[Chosen, ...], taking: Taking, lossless: bool
) -> tuple[int, int]:
    negatives = [
        [None, *(Chosen(f, level) for level in range(len(problem.families[f].cutoffs)))]
        for members in problem.negatives.values()
        for f in members
    ]
    if taking is Taking.NOTHING:
        negatives = []
    subsets = (
        kept for n in range(1, len(chosen) + 1) for kept in itertools.combinations(chosen, n)
    )
    return max(
        worth(problem, chosen, lossless, composed_values(problem, kept, taken, taking))
        for kept in subsets
        for taken in (tuple(one for one in c if one) for c in itertools.product(*negatives))
    )


@given(problems(("", "people", "cars")), st.sampled_from(Taking), st.booleans())
@settings(max_examples=150, deadline=None)
def test_direct_and_levels_are_the_best_by_force(
    problem: Problem, taking: Taking, lossless: bool
) -> None:
    chosen = selected(problem)
    for formulation in BOTH:
        found = solved(problem, chosen, CompositionOptions(taking, lossless, formulation))
        if not (union(problem, chosen) & problem.targets).any():
            assert found is None
            continue
        assert found is not None
        assert found.proven
        assert set(found.positives) <= set(chosen)
        best = best_by_force(problem, chosen, taking, lossless)
        assert worth(problem, chosen, lossless, found.values) == best


@pytest.mark.parametrize("noise", [0.8, 1.5])
@pytest.mark.parametrize("taking", list(Taking))
def test_direct_and_levels_agree_on_a_middling_gallery(noise: float, taking: Taking) -> None:
    problem = made_up(images=300, tools=2, queries=8, targets=12, noise=noise, cutoffs=(5, 15, 40))
    chosen = select(problem, HighsSolver(), Progress(), LIMIT_S).chosen
    direct, levels = (
        solved(problem, chosen, CompositionOptions(taking, formulation=f)) for f in BOTH
    )
    assert direct is not None and levels is not None
    one, other = (worth(problem, chosen, False, c.values) for c in (direct, levels))
    assert one == other


def test_two_concepts_are_both_taken_away() -> None:
    targets = np.array([True, True, False, False, False])
    problem = Problem(
        targets,
        (
            Family("text", "beach", np.array([0, 1, 2, 3, 4]), (5,)),
            Family("text", "people", np.array([2, 0]), (1, 2), "people"),
            Family("image", "people", np.array([2, 1]), (1, 2), "people"),
            Family("text", "cars", np.array([3, 4]), (1, 2), "cars"),
        ),
    )
    found = solved(problem, (Chosen(0, 0),), CompositionOptions())
    assert found is not None
    assert found.values == Composed(2, 0, 3)
    final = final_set(problem, found.positives, found.negatives)
    assert np.flatnonzero(final).tolist() == [0, 1]


def test_a_target_is_given_up_for_much_noise_unless_none_may_be() -> None:
    targets = np.array([True, True, *[False] * 9])
    everything = np.array([0, 1, *range(2, 11)])
    problem = Problem(
        targets,
        (
            Family("text", "beach", everything, (11,)),
            Family("text", "people", np.array([*range(2, 11), 1]), (10,), "people"),
        ),
    )
    bold = solved(problem, (Chosen(0, 0),), CompositionOptions())
    careful = solved(problem, (Chosen(0, 0),), CompositionOptions(lossless=True))
    assert bold is not None and careful is not None
    assert bold.values == Composed(1, 0, 2)
    assert careful.values == Composed(2, 9, 1)
