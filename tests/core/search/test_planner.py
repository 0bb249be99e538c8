import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.search.planner import DefaultPlanner, PlanBrief
from core.search.weights import WorkerWeights, family_weights, routed
from core.search.workers import Worker, worker_of

PEOPLE = Condition("people", Polarity.NEGATIVE, ConditionKind.THING)
CARS = Condition("cars", Polarity.NEGATIVE, ConditionKind.THING)
DOG = Understanding("a dog on a beach", (PEOPLE,), ("a dog and a beach", "a dog"))
ONLY_MINUS = Understanding("a photo", (PEOPLE, CARS, PEOPLE))


def plan(asked, has_reference=False, top_k=200, size=1000):
    return DefaultPlanner().plan(PlanBrief(asked, has_reference, top_k, size))


def test_every_worker_asks_its_tools():
    steps = plan(DOG, has_reference=True).steps
    by_worker = {}
    for step in steps:
        by_worker.setdefault(worker_of(step, DOG), set()).add((step.tool, step.query))
    assert ("image-text", "a dog on a beach") in by_worker[Worker.IMAGINE]
    assert ("image-text", "a dog and a beach") in by_worker[Worker.CONSTRAIN]
    assert by_worker[Worker.ANCHOR] == {("visual", "")}
    assert by_worker[None] == {("image-text", "people")}


def test_one_negative_a_concept_as_large_as_the_gallery():
    negatives = [s for s in plan(ONLY_MINUS).steps if s.polarity is Polarity.NEGATIVE]
    assert [(s.query, s.concept, s.top_k) for s in negatives] == [
        ("people", "people", 1000),
        ("cars", "cars", 1000),
    ]


def test_a_query_that_names_nothing_starts_from_everything():
    positives = [s for s in plan(ONLY_MINUS).steps if s.polarity is Polarity.POSITIVE]
    assert [(s.tool, s.top_k) for s in positives] == [("metadata", 1000)]
    with_photo = plan(ONLY_MINUS, has_reference=True)
    assert [s.tool for s in with_photo.steps if s.polarity is Polarity.POSITIVE] == ["visual"]


shares = st.floats(0, 1)


@given(shares, shares, shares, st.booleans())
def test_weights_sum_to_one_and_proxies_count_less_than_pictures(imagine, constrain, anchor, ref):
    trajectory = plan(DOG, has_reference=ref)
    of = {Worker.IMAGINE: imagine, Worker.CONSTRAIN: constrain, Worker.ANCHOR: anchor}
    weights = family_weights(trajectory, DOG, WorkerWeights(of, "test"))
    assert math.isclose(sum(weights.values()), 1.0)
    by = {(trajectory.steps[i].tool, trajectory.steps[i].query): w for i, w in weights.items()}
    pictures = by[("image-text", DOG.target)]
    equal = len(set(weights.values())) == 1
    assert equal or math.isclose(by[("text-concept", DOG.target)], pictures * 0.1, abs_tol=1e-12)
    assert equal or math.isclose(by[("bm25", DOG.target)], pictures * 0.05, abs_tol=1e-12)


def test_without_worker_weights_families_are_equal():
    weights = family_weights(plan(DOG, has_reference=True), DOG, None)
    assert len(set(weights.values())) == 1
    assert math.isclose(sum(weights.values()), 1.0)


def test_families_count_once_whatever_their_cutoffs():
    steps = tuple(
        AtomicRetrieval("image-text", "a dog on a beach", Polarity.POSITIVE, k) for k in (5, 10)
    )
    assert family_weights(Trajectory(steps, "test"), DOG, None) == {0: 1.0}


@pytest.mark.parametrize("has_reference", [True, False])
def test_routed_weights_have_a_reason(has_reference):
    weights = routed("a dog without people", has_reference)
    assert math.isclose(sum(weights.of.values()), 1.0)
    assert (weights.of[Worker.ANCHOR] > 0) is has_reference
    assert weights.reason
