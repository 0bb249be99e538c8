"""Composed queries: what changes, what stays of the reference, and in which words."""

import pytest

from core.domain.profile import Profile
from core.domain.query import ConditionKind
from tests.core.language.conftest import DOG, MAN, Reader, profile, unwanted, wanted

CASES = [
    # (text, reference, target, unwanted)
    ("the same dog, but on a beach, and nobody around", DOG, "a dog on a beach", "people"),
    ("the same dog but on a beach", DOG, "a dog on a beach", ""),
    ("this dog in the snow", DOG, "a dog in the snow", ""),
    ("on a beach", DOG, "a dog on a beach", ""),
    ("on a beach instead", DOG, "a dog on a beach", ""),
    ("on a beach instead of on the grass", DOG, "a dog on a beach", "grass"),
    ("instead of on the grass, on a beach", DOG, "a dog on a beach", "grass"),
    ("not on grass but on sand", DOG, "a dog on sand", "grass"),
    ("change the grass to snow", DOG, "a dog in snow", "grass"),
    ("change the background to a beach", DOG, "a dog on a beach", ""),
    ("keep the dog, change the background to a beach", DOG, "a dog on a beach", ""),
    ("replace the ball with a frisbee", DOG, "a dog with a frisbee on grass", "ball"),
    ("swap the ball for a stick", DOG, "a dog with a stick on grass", "ball"),
    ("remove the ball", DOG, "a dog running on grass", "ball"),
    ("take away the ball", DOG, "a dog running on grass", "ball"),
    ("get rid of the ball", DOG, "a dog running on grass", "ball"),
    ("without the ball", DOG, "a dog running on grass", "ball"),
    ("the ball is gone", DOG, "a dog running on grass", "ball"),
    ("the ball is not visible", DOG, "a dog running on grass", "ball"),
    ("add a frisbee", DOG, "a dog with a frisbee on grass", ""),
    ("with a frisbee", DOG, "a dog with a frisbee on grass", ""),
    ("make it two dogs", DOG, "two dogs on grass", ""),
    ("two dogs instead of one", DOG, "two dogs on grass", ""),
    ("make the dog white", DOG, "a white dog on grass", ""),
    ("the dog is white", DOG, "the dog is white on grass", ""),
    ("white", DOG, "a white dog on grass", ""),
    ("more people", DOG, "a dog with many people on grass", ""),
    ("is sitting", DOG, "a dog sitting on grass", ""),
    ("swimming in a lake", DOG, "a dog swimming in a lake", ""),
    ("has a frisbee in its mouth", DOG, "a dog with a frisbee in its mouth on grass", ""),
    ("at night", DOG, "a dog running on grass at night", ""),
    ("the same place at night", DOG, "grass at night", ""),
    ("in black and white", DOG, "a dog running on grass in black and white", ""),
    ("same photo but in black and white", DOG, "a dog running on grass in black and white", ""),
    ("a cat instead of the dog", DOG, "a cat on grass", "dog"),
    ("I want the same picture but with a cat instead of the dog", DOG, "a cat on grass", "dog"),
    ("replace the dog with a cat", DOG, "a cat on grass", "dog"),
    ("the same scene without the dog", DOG, None, "dog"),
    ("a cat on a sofa", DOG, "a cat on a sofa", ""),
    ("without people", MAN, None, "people"),
    ("without people or cars", MAN, None, "people|cars"),
    ("wearing a blue hat instead of a red one", MAN, None, "red hat"),
    ("change the grass to snow and the ball to a frisbee", DOG, None, "grass|ball"),
    ("take away the ball and make the dog white", DOG, "a white dog on grass", "ball"),
    ("change the grass to snow and remove the ball", DOG, "a dog in snow", "grass|ball"),
    ("add a frisbee and remove the ball", DOG, "a dog with a frisbee on grass", "ball"),
    ("put the dog on a beach", DOG, "the dog on a beach", ""),
    ("", DOG, "a dog running on grass", ""),
]


@pytest.mark.parametrize(("text", "reference", "target", "lacks"), CASES, ids=[c[0] for c in CASES])
def test_a_change_is_applied_to_the_reference(
    read: Reader, text: str, reference: Profile, target: str | None, lacks: str
) -> None:
    understood = read(text, reference)
    assert unwanted(understood) == set(filter(None, lacks.split("|")))
    if target is not None:
        assert understood.target == target


def test_what_is_excluded_is_never_taken_from_the_reference(read: Reader) -> None:
    understood = read("without people", MAN)
    assert not {"people", "man"} & wanted(understood)
    assert "man" not in understood.target
    assert "people" not in understood.target
    assert "street" in understood.target


def test_a_replaced_attribute_is_carried_over_to_its_noun(read: Reader) -> None:
    understood = read("wearing a blue hat instead of a red one", MAN)
    assert "blue hat" in wanted(understood)
    assert unwanted(understood) == {"red hat"}
    assert "man" in wanted(understood)


def test_two_changes_at_once_both_hold(read: Reader) -> None:
    understood = read("change the grass to snow and the ball to a frisbee", DOG)
    assert {"dog", "snow", "frisbee"} <= wanted(understood)
    assert unwanted(understood) == {"grass", "ball"}


def test_the_surest_subject_is_kept_whatever_the_order_of_the_concepts(read: Reader) -> None:
    either = read("on a beach", profile(horse=0.4, dog=0.9))
    other = read("on a beach", profile(dog=0.9, horse=0.4))
    assert either == other
    assert either.target == "a dog on a beach"


def test_a_new_scene_replaces_the_old_one(read: Reader) -> None:
    understood = read("in a forest", DOG)
    assert "grass" not in understood.target
    assert [c.text for c in understood.required if c.kind is ConditionKind.SCENE] == ["forest"]


KINDS = [
    ("two dogs", "two dogs", ConditionKind.COUNT),
    ("only one child", "one child", ConditionKind.COUNT),
    ("3 dogs", "three dogs", ConditionKind.COUNT),
    ("a man in a red hat", "red hat", ConditionKind.ATTRIBUTE),
    ("a black and white dog", "black and white dog", ConditionKind.ATTRIBUTE),
    ("a beach in black and white", "black and white", ConditionKind.ATTRIBUTE),
    ("a man riding a bike", "riding a bike", ConditionKind.ACTION),
    ("a dog running in the snow", "running", ConditionKind.ACTION),
    ("a dog runs through the snow", "running", ConditionKind.ACTION),
    ("a dog running in the snow", "snow", ConditionKind.SCENE),
    ("a street at night", "night", ConditionKind.SCENE),
    ("mountains in winter", "winter", ConditionKind.SCENE),
    ("a sandy beach", "sandy beach", ConditionKind.SCENE),
    ("a dog with a frisbee", "frisbee", ConditionKind.THING),
    ("a boy playing soccer", "playing soccer", ConditionKind.ACTION),
    ("a man outside a church", "man", ConditionKind.THING),
    ("dogs playing outside", "outside", ConditionKind.SCENE),
    ("a woman at a wedding", "wedding", ConditionKind.SCENE),
]


@pytest.mark.parametrize(("text", "part", "kind"), KINDS, ids=[f"{c[0]}: {c[1]}" for c in KINDS])
def test_conditions_have_their_kind(
    read: Reader, text: str, part: str, kind: ConditionKind
) -> None:
    assert (part, kind) in {(c.text, c.kind) for c in read(text).required}


REFERENCES = [
    ("wearing_a_hat", "dog", "a dog on a beach"),
    ("black_and_white_photo", "dog", "a dog on a beach"),
    ("holding_something_in_its_mouth", "dog", "a dog on a beach"),
    ("upside_down", "dog", "a dog on a beach"),
    ("Christmas", "dog", "a dog on a beach"),
    ("in_the_air", "dog", "a dog on a beach"),
    ("people", "woman", "a woman on a beach"),
    ("tree", "dog", "a dog on a beach"),
    ("two_dogs", "tree", "two dogs on a beach"),
    ("red", "car", "a car on a beach"),
]


@pytest.mark.parametrize(("surest", "other", "target"), REFERENCES)
def test_only_a_concept_that_names_a_subject_is_one(
    read: Reader, surest: str, other: str, target: str
) -> None:
    assert read("on a beach", profile(**{surest: 0.9, other: 0.7})).target == target


def test_the_same_person_stays_whatever_is_added(read: Reader) -> None:
    assert read("same person, different hat", MAN).target == "a man with different hat on a street"
