"""Walks, days and unknown places of a brief."""

import pytest

from core.domain.story import Relation, StoryBrief, StoryPlan
from core.language.brief import plan_story
from tests.core.language.conftest import TODAY, Atlas


def plan(text: str) -> StoryPlan:
    return plan_story(StoryBrief(text), TODAY, Atlas())


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("our walk near Arezzo", Relation.EVENT),
        ("a day in Vienna", Relation.EVENT),
        ("our day on Merritt Island", Relation.EVENT),
        ("an evening in Lisbon", Relation.EVENT),
        ("New Year in Vienna", Relation.EVENT),
        ("a story of our trip to Italy", Relation.TRIP),
        ("our safari in the Serengeti", Relation.TRIP),
        ("three days in Vienna", Relation.TRIP),
        ("from arrival to sunset", Relation.DAY_TO_NIGHT),
    ],
)
def test_a_walk_is_no_trip(text: str, relation: Relation) -> None:
    assert plan(text).relation is relation


@pytest.mark.parametrize(
    "text",
    [
        "our walk near Arezzo",
        "a day in Vienna",
        "our time in Lisbon",
        "our safari in the Serengeti",
        "our trip to Yosemite",
        "from sunrise to sunset at the beach",
        "New Year in Vienna",
    ],
)
def test_role_queries_say_what_a_photo_shows(text: str) -> None:
    queries = " | ".join(role.query for role in plan(text).roles)
    for odd in ("a day", "time", "an at", "a new year", "serengeti", "yosemite", "vienna", "walk"):
        assert odd not in queries


def test_a_place_that_nothing_knows_is_kept_apart() -> None:
    assert plan("our trip to Yosemite").named == ("Yosemite",)
    assert plan("Yosemite").named == ("Yosemite",)
    assert plan("our hike at Mono Lake").named == ("Mono Lake",)
    assert plan("a day in Vienna").named == ()
    assert plan("our wedding").named == ()


def test_new_year_keeps_to_its_months() -> None:
    when = plan("New Year in Vienna").when
    assert when is not None
    assert when.months == {12, 1}
    assert plan("a day in Vienna").when is None


def test_a_day_that_ends_at_sunset_needs_no_night() -> None:
    assert [role.name for role in plan("from arrival to sunset").roles if role.required] == [
        "sunset"
    ]


def test_a_story_of_a_thing_asks_for_the_thing_alone() -> None:
    assert [role.query for role in plan("a story about the elephant").roles] == ["an elephant"]
