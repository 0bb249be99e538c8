from collections import Counter
from dataclasses import dataclass

import pytest

from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.errors import Cancelled, UnknownChoice
from core.progress import Progress
from core.retrieval.executor import Cut, Executor
from core.retrieval.tools.box import ToolOptions, make_tools

PICTURES = ["red", "red blue", "blue", "green", "red red red blue", "yellow"]


@dataclass
class Counting:
    """A tool that counts how often it ranks."""

    tool: object
    calls: Counter

    def __getattr__(self, name):
        return getattr(self.tool, name)

    def rank(self, query, *rest):
        self.calls[(self.tool.name, query)] += 1
        return self.tool.rank(query, *rest)


def plus(query, top_k=3, tool="image-text"):
    return AtomicRetrieval(tool, query, Polarity.POSITIVE, top_k)


def minus(query, top_k=100, tool="image-text", concept=""):
    return AtomicRetrieval(tool, query, Polarity.NEGATIVE, top_k, concept or query)


@pytest.fixture
def calls():
    return Counter()


@pytest.fixture
def executor(make_gallery, calls):
    gallery = make_gallery(PICTURES)
    tools = make_tools(gallery, ToolOptions())
    return Executor(gallery, {n: Counting(t, calls) for n, t in tools.items()})


def run(executor, *steps):
    return executor.run(Trajectory(tuple(steps), "test"), Progress())


def test_red_without_blue(executor):
    execution = run(executor, plus("red"), minus("blue"))
    assert execution.candidates == {1, 2, 5}
    assert execution.kept == {1}
    assert execution.steps[1].found == {2, 5}
    assert [step.cut for step in execution.steps] == [Cut.SIZE, Cut.PRESENCE]


def test_a_negative_looks_only_among_the_candidates(executor):
    execution = run(executor, minus("blue"), plus("red", top_k=1))
    assert execution.candidates == {1}
    assert execution.steps[0].found == set()
    assert execution.kept == {1}


def test_a_negatives_size_limits_what_presence_cuts(executor):
    execution = run(executor, plus("red"), minus("blue", top_k=1))
    assert execution.steps[1].found == {2}
    assert execution.kept == {1, 5}


def test_a_tool_without_calibration_is_cut_by_size(executor):
    execution = run(executor, plus("red"), minus("blue", top_k=1, tool="text-concept"))
    assert execution.steps[1].cut is Cut.SIZE
    assert execution.kept == {1, 5}


def test_negatives_of_one_concept_must_agree_those_of_two_add_up(executor):
    agree = run(executor, plus("red"), minus("blue"), minus("red", 1, concept="blue"))
    assert agree.kept == {1, 2, 5}
    both = run(executor, plus("red"), minus("blue"), minus("red", 1))
    assert both.kept == set()


def test_a_concept_that_can_exclude_nothing_more_is_not_asked_again(executor, calls):
    execution = run(executor, plus("red"), minus("yellow", concept="c"), minus("blue", concept="c"))
    assert execution.steps[2].cut is Cut.SKIPPED
    assert calls[("image-text", "blue")] == 0
    assert execution.kept == {1, 2, 5}


def test_nothing_is_excluded_from_no_candidates(executor, calls):
    execution = run(executor, plus("", 3), minus("blue"))
    assert execution.kept == set()
    assert execution.steps[1].cut is Cut.SKIPPED


def test_each_family_is_ranked_once(executor, calls):
    execution = run(executor, plus("red", 1), plus("red", 3), plus("green", 1))
    run(executor, plus("red", 2))
    assert [len(step.found) for step in execution.steps] == [1, 3, 1]
    assert calls == {("image-text", "red"): 1, ("image-text", "green"): 1}


def test_within_holds_for_every_step(executor):
    executor.within = executor.gallery.ids[[1, 2]]
    assert run(executor, plus("red", 9), plus("blue", 9)).candidates == {2, 3}


def test_an_unknown_tool_is_named(executor):
    with pytest.raises(UnknownChoice, match="telepathy"):
        run(executor, plus("red", tool="telepathy"))


def test_it_can_be_cancelled(executor):
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        executor.run(Trajectory((plus("red"),), "test"), progress)
