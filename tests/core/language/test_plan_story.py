"""Story briefs: subject, relation, roles, when and where."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.story import Relation, StoryBrief, StoryPlan
from core.language.brief import plan_story
from tests.core.language.conftest import TODAY, Atlas


def plan(text: str, max_size: int = 5) -> StoryPlan:
    return plan_story(StoryBrief(text, max_size=max_size), TODAY, Atlas())


RELATIONS = [
    # (text, relation, subject)
    ("our trip to Lisbon", Relation.TRIP, ""),
    ("weekend in Arezzo", Relation.TRIP, ""),
    ("a wedding in Vienna last summer", Relation.EVENT, "wedding"),
    ("Anna's birthday party", Relation.EVENT, "birthday party"),
    ("the city from day to night", Relation.DAY_TO_NIGHT, "city"),
    ("tell the story of a street from morning to night", Relation.DAY_TO_NIGHT, "street"),
    ("our dog every summer", Relation.RECURRING, "dog"),
    ("the garden through the seasons", Relation.RECURRING, "garden"),
    ("how the house changed over the years", Relation.RECURRING, "house"),
    ("make an album about my daughter's football game", Relation.EVENT, "football game"),
]


@pytest.mark.parametrize(("text", "relation", "subject"), RELATIONS, ids=[c[0] for c in RELATIONS])
def test_relation_and_subject(text: str, relation: Relation, subject: str) -> None:
    planned = plan(text)
    assert planned.relation is relation
    assert planned.subject == subject


LISTS = [
    (
        "the packing, the drive, the beach, the campfire",
        ["packing", "drive", "beach", "campfire"],
    ),
    (
        "our camping trip: the packing, the drive, the campfire",
        ["packing", "drive", "campfire"],
    ),
    ("first the market, then lunch and finally the sunset", ["market", "lunch", "sunset"]),
    ("a day with the dog: swimming, sleeping", ["swimming", "sleeping"]),
]


@pytest.mark.parametrize(("text", "names"), LISTS, ids=[c[0] for c in LISTS])
def test_listed_parts_are_the_roles_in_that_order(text: str, names: list[str]) -> None:
    roles = plan(text).roles
    assert [role.name for role in roles] == names
    assert [role.position for role in roles] == sorted(role.position for role in roles)
    assert all(role.required for role in roles)


def test_roles_are_joined_with_the_subject() -> None:
    roles = plan("our camping trip: the packing, the drive, the campfire").roles
    assert roles[2].query == "a campfire on a camping trip"


def test_day_to_night_runs_from_morning_to_night() -> None:
    roles = plan("the bridge from day to night").roles
    assert [role.name for role in roles] == ["morning", "day", "sunset", "night"]
    assert roles[3].query == "a bridge at night"


def test_when_and_where_leave_the_subject() -> None:
    planned = plan("a wedding in Vienna in July 2021")
    assert planned.when is not None
    assert planned.when.earliest == date(2021, 7, 1)
    assert planned.where is not None
    assert planned.subject == "wedding"


def test_every_summer_keeps_to_its_months() -> None:
    planned = plan("our dog every summer")
    assert planned.when is not None
    assert planned.when.months == {6, 7, 8}


def test_excluded_people_play_no_role() -> None:
    planned = plan("a beach trip without people")
    assert not any("people" in role.query for role in planned.roles)
    assert any("people" in note for note in planned.notes)


def test_a_short_story_drops_optional_roles() -> None:
    planned = plan("our trip to Lisbon", max_size=3)
    assert len(planned.roles) == 3
    assert any(role.required for role in planned.roles)


def test_more_parts_than_photos_are_told() -> None:
    planned = plan("the a, the b, the dog, the cat, the cow, the sea, the end", max_size=5)
    assert planned.notes
    assert sum(role.required for role in planned.roles) <= 5


@given(st.text(max_size=100))
def test_any_text_can_be_planned(text: str) -> None:
    planned = plan(text)
    assert len({role.name for role in planned.roles}) >= 1
    assert all(isinstance(role.query, str) for role in planned.roles)
