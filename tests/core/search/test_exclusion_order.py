"""Things with several appearances are excluded under any; surer photos come first."""

import numpy as np
import pytest

from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.language import appearances as table
from core.progress import Progress
from core.retrieval.executor import Executor
from core.retrieval.presence import presence_of
from core.retrieval.tools.box import ToolOptions, make_tools
from core.search.order import surest_first
from core.search.planner import DefaultPlanner, PlanBrief

BLUE = Condition("blue", Polarity.NEGATIVE, ConditionKind.ATTRIBUTE)
PICTURES = ["red", "red blue", "red green", "red pink"]


def run(gallery, *steps):
    executor = Executor(gallery, make_tools(gallery, ToolOptions()))
    return executor.run(Trajectory(steps, "test"), Progress())


def test_the_presence_of_a_thing_is_that_of_its_surest_appearance(make_gallery):
    gallery = make_gallery(PICTURES)
    presence, vectors = gallery.perception.presence, gallery.vectors(gallery.ids)
    each = presence.probabilities(["blue", "green"], vectors)
    assert np.array_equal(presence_of(presence, ["blue", "green"], vectors), each.max(axis=0))


def test_one_negative_removes_every_appearance_of_its_concept(make_gallery):
    gallery = make_gallery(PICTURES)
    positive = AtomicRetrieval("image-text", "red", Polarity.POSITIVE, 10)
    narrow = AtomicRetrieval("image-text", "blue", Polarity.NEGATIVE, 10, "tint")
    wide = AtomicRetrieval("image-text", "blue", Polarity.NEGATIVE, 10, "tint", ("blue", "green"))
    assert run(gallery, positive, narrow).kept == {1, 3, 4}
    assert run(gallery, positive, wide).kept == {1, 4}
    # two steps of one concept intersect: they take away less, not more
    green = AtomicRetrieval("image-text", "green", Polarity.NEGATIVE, 10, "tint")
    assert run(gallery, positive, narrow, green).kept == {1, 2, 3, 4}


def test_a_plan_gives_each_exclusion_its_appearances():
    people = Condition("people", Polarity.NEGATIVE, ConditionKind.THING)
    asked = Understanding("a dog", (people,))
    steps = DefaultPlanner().plan(PlanBrief(asked, False, 10, 10)).steps
    assert steps[-1].appearances == table.appearances("people")
    assert all(step.appearances == () for step in steps[:-1])


def test_photos_that_surely_lack_it_come_before_those_that_may_show_it(make_gallery):
    gallery = make_gallery(["red red red red red blue", "red"])  # the first shows a little blue
    kept = [(1, 0.016), (2, 0.0159)]
    asked = Understanding("red", (BLUE,))
    assert [i for i, _ in surest_first(kept, asked, gallery)] == [2, 1]
    assert surest_first(kept, Understanding("red", ()), gallery) == kept
    assert surest_first([], asked, gallery) == []


@pytest.mark.parametrize(("strategy", "noted"), [("hybrid", True), ("oscar", False)])
def test_the_trace_says_when_the_order_changes(make_gallery, ask, strategy, noted):
    answer = ask(make_gallery(PICTURES), "red without blue", strategy=strategy)
    assert any(event.event == "order" for event in answer.trace) is noted
    plain = ask(make_gallery([]), "red", strategy=strategy)
    assert not any(event.event == "order" for event in plain.trace)
