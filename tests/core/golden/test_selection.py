"""Stage 1: what is chosen is the best there is, however the program is written."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.highs import HighsSolver
from core.domain.mip import MipModel, MipSolution, MipStatus
from core.errors import Cancelled
from core.golden.problem import Chosen, Family, Problem, union
from core.golden.selection import Formulation, Selection, select, values_of
from core.golden.selection_value import Values
from core.progress import Progress
from tests.core.golden.problems import made_up

LIMIT_S = 60.0


def solved(problem: Problem, formulation: Formulation, seconds: float = LIMIT_S) -> Selection:
    return select(problem, HighsSolver(), Progress(), seconds, formulation)


def worth(values: Values) -> tuple[int, int, int, int]:
    """Larger is better."""
    return (values.targets, -values.noise, values.tools, -values.retrievals)


def best_by_force(problem: Problem) -> Values:
    options = [
        [None, *(Chosen(f, level) for level in range(len(problem.families[f].cutoffs)))]
        for f in problem.positives
    ]
    every = (tuple(one for one in choice if one) for choice in itertools.product(*options))
    return max((values_of(problem, choice) for choice in every), key=worth)


@st.composite
def problems(draw: st.DrawFn, concepts: tuple[str, ...] = ("",)) -> Problem:
    """Small galleries with overlapping families, of which some find nothing wanted."""
    images = draw(st.integers(4, 12))
    targets = np.array(draw(st.lists(st.booleans(), min_size=images, max_size=images)))
    families = []
    for _ in range(draw(st.integers(0, 5))):
        order = draw(st.permutations(range(images)))
        cutoffs = sorted(draw(st.sets(st.integers(1, images), min_size=1, max_size=3)))
        shown = draw(st.integers(0, images))
        families.append(
            Family(
                draw(st.sampled_from("ab")),
                "q",
                np.array(order[:shown], np.int64),
                tuple(cutoffs),
                draw(st.sampled_from(concepts)),
            )
        )
    return Problem(targets, tuple(families))


@given(problems(("", "", "people")))
@settings(max_examples=120, deadline=None)
def test_direct_and_levels_are_the_best_by_force(problem: Problem) -> None:
    best = best_by_force(problem)
    for formulation in (Formulation.DIRECT, Formulation.LEVELS):
        found = solved(problem, formulation)
        assert found.values == best
        assert found.proven
        assert all(one.family in problem.positives for one in found.chosen)
        assert len({one.family for one in found.chosen}) == len(found.chosen)


@given(problems())
@settings(max_examples=80, deadline=None)
def test_additive_covers_all_and_its_gap_holds_the_truth(problem: Problem) -> None:
    best, found = best_by_force(problem), solved(problem, Formulation.ADDITIVE)
    assert found.values.targets == best.targets
    assert found.values.noise >= best.noise
    bound = found.values.noise - found.gap * max(found.values.noise, 1)
    assert best.noise >= bound - 1e-6
    assert not found.proven or found.values.noise == best.noise


@pytest.mark.parametrize("noise", [0.6, 1.4])
def test_direct_and_levels_agree_on_a_middling_gallery(noise: float) -> None:
    problem = made_up(images=400, tools=3, queries=6, targets=12, noise=noise, cutoffs=(5, 15, 40))
    direct, levels = solved(problem, Formulation.DIRECT), solved(problem, Formulation.LEVELS)
    assert direct.values == levels.values
    assert direct.proven and levels.proven
    assert levels.values.targets > 6


def test_a_target_that_nothing_finds_is_not_waited_for() -> None:
    targets = np.array([True, True, False])
    problem = Problem(targets, (Family("a", "q", np.array([0, 2]), (1, 2)),))
    for formulation in Formulation:
        found = solved(problem, formulation)
        assert found.chosen == (Chosen(0, 0),)
        assert found.values == Values(1, 0, 1, 1)


class Stingy:
    """A solver whose time is always up."""

    def solve(self, model: MipModel, progress: Progress, time_limit_s: float) -> MipSolution:
        return MipSolution(MipStatus.UNKNOWN, None, 0.0, np.inf, 0.0)


def test_without_time_there_is_an_answer_that_covers_all_and_claims_nothing() -> None:
    problem = made_up(images=300, tools=2, queries=6, targets=10, noise=1.5, cutoffs=(5, 20, 60))
    found = select(problem, Stingy(), Progress(), 0.0)
    assert found.values.targets == solved(problem, Formulation.LEVELS).values.targets
    assert not found.proven
    assert found.gap > 0


def test_a_cancelled_solve_ends() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        select(made_up(images=300, cutoffs=(5, 20)), HighsSolver(), progress, LIMIT_S)


def test_covered_is_what_the_retrievals_find() -> None:
    problem = Problem(np.zeros(5, np.bool_), (Family("a", "q", np.array([4, 1, 0]), (1, 3)),))
    assert union(problem, [Chosen(0, 0)]).tolist() == [False] * 4 + [True]
    assert problem.buckets.tolist() == [[1, 1, -1, -1, 0]]
