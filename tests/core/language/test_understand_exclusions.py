"""Wordings that exclude: what stays in the target, and what the negatives name."""

import pytest

from tests.core.language.conftest import Reader, unwanted, wanted

CASES = [
    # (text, target, wanted, unwanted), several things separated by "|"
    ("a dog on the beach, without people", "a dog on the beach", "dog|beach", "people"),
    ("a dog on the beach without people", "a dog on the beach", "dog|beach", "people"),
    ("a dog without people on the beach", "a dog on the beach", "dog|beach", "people"),
    ("a dog on the beach, nobody around", "a dog on the beach", "dog|beach", "people"),
    ("a dog on the beach and nobody in sight", "a dog on the beach", "dog|beach", "people"),
    ("a dog on the beach with no one nearby", "a dog on the beach", "dog|beach", "people"),
    ("a beach with no people at all", "a beach", "beach", "people"),
    ("a beach without any people", "a beach", "beach", "people"),
    ("a beach with nobody", "a beach", "beach", "people"),
    ("a beach, but no people", "a beach", "beach", "people"),
    ("a beach where nobody is swimming", "a beach", "beach", "people swimming"),
    ("nobody on the beach", "the beach", "beach", "people"),
    ("no people on the beach", "the beach", "beach", "people"),
    ("there are no people on the beach", "the beach", "beach", "people"),
    ("there isn't anyone on the beach", "the beach", "beach", "people"),
    ("an empty street", "an empty street", "empty street", "people"),
    ("a deserted beach at sunset", "a deserted beach at sunset", "deserted beach|sunset", "people"),
    ("an empty chair", "an empty chair", "empty chair", ""),
    ("a street without people or cars", "a street", "street", "people|cars"),
    ("a street without people and cars", "a street", "street", "people|cars"),
    ("a street without people, cars or bikes", "a street", "street", "people|cars|bikes"),
    ("a street, no people, no cars", "a street", "street", "people|cars"),
    ("a street with neither cars nor people", "a street", "street", "cars|people"),
    ("a street free of cars", "a street", "street", "cars"),
    ("a car-free street", "a street", "street", "cars"),
    ("a street minus the cars", "a street", "street", "cars"),
    ("a street devoid of traffic", "a street", "street", "traffic"),
    ("a beach with none of the tourists", "a beach", "beach", "tourists"),
    ("a dog without a leash", "a dog", "dog", "leash"),
    ("a dog that isn't on a leash", "a dog", "dog", "leash"),
    ("a dog that is not on a leash", "a dog", "dog", "leash"),
    ("dogs that aren't brown", "dogs", "dogs", "brown dog"),
    ("a dog which doesn't have a collar", "a dog", "dog", "collar"),
    ("a man without a hat", "a man", "man", "hat"),
    ("a man not wearing a hat", "a man", "man", "hat"),
    ("a man without a hat on his head", "a man", "man", "hat"),
    ("a man without a hat on the beach", "a man on the beach", "man|beach", "hat"),
    ("children playing in a park, except boys", "children playing in a park", None, "boys"),
    ("birds other than seagulls", "birds", "birds", "seagulls"),
    ("flowers but not roses", "flowers", "flowers", "roses"),
    ("a cat but no dog", "a cat", "cat", "dog"),
    ("no people but a dog", "a dog", "dog", "people"),
    ("a dog on a beach instead of on grass", "a dog on a beach", "dog|beach", "grass"),
    ("a dog on the beach rather than in a park", "a dog on the beach", "dog|beach", "park"),
    ("instead of a dog, a cat on a sofa", "a cat on a sofa", "cat|sofa", "dog"),
    ("a cat instead of a dog on the beach", "a cat on the beach", "cat|beach", "dog"),
    ("not on the grass but on the sand", "the sand", "sand", "grass"),
    ("a car, not red but blue", "a blue car", "blue car", "red car"),
    ("a car that is not red but blue", "a car that is blue", "blue car", "red car"),
    (
        "a man wearing a red hat instead of a blue one",
        "a man wearing a red hat",
        "man|red hat",
        "blue hat",
    ),
    ("a white dog, not a black one", "a white dog", "white dog", "black dog"),
    ("a beach without people and with a dog", "a beach with a dog", "beach|dog", "people"),
    ("a beach without people and a dog", "a beach and a dog", "beach|dog", "people"),
    ("a beach without a dog or a cat", "a beach", "beach", "dog|cat"),
    ("a woman with a white dog, without cars and with a bike", None, None, "cars"),
    ("I don't want to see any people, just the mountains", None, "mountains", "people"),
    ("a lake, please exclude boats", "a lake", "lake", "boats"),
    ("a living room lacking furniture", "a living room", "living room", "furniture"),
    ("a dog never wearing clothes", "a dog", "dog", "clothes"),
    ("a house w/o trees", "a house", "house", "trees"),
    ("a tree, people not visible", "a tree", "tree", "people"),
    ("a street where cars are missing", None, "street", "cars"),
    ("a girl, no other people", "a girl", "girl", "group of people"),
    ("a man alone on a bench without other people", None, "man|bench", "group of people"),
]


@pytest.mark.parametrize(("text", "target", "has", "lacks"), CASES, ids=[c[0] for c in CASES])
def test_an_exclusion_is_named_and_leaves_the_target(
    read: Reader, text: str, target: str | None, has: str | None, lacks: str
) -> None:
    understood = read(text)
    assert unwanted(understood) == set(filter(None, lacks.split("|")))
    if target is not None:
        assert understood.target == target
    if has is not None:
        assert wanted(understood) == set(has.split("|"))


HARMLESS = [
    ("not only a dog but also a cat", "a dog and a cat"),
    ("a beach not without people", "a beach with people"),
    ("nothing but sand", "sand"),
    ("a dog, no matter which breed", "a dog"),
    ("a dog on a beach, no doubt", "a dog on a beach"),
    ("not just cars but also bikes", "cars and bikes"),
    ("a knot in a rope", "a knot in a rope"),
    ("a note on a table", "a note on a table"),
    ("a snowy mountain", "a snowy mountain"),
    ("a north wall", "a north wall"),
]


@pytest.mark.parametrize(("text", "target"), HARMLESS, ids=[c[0] for c in HARMLESS])
def test_what_only_looks_negative_excludes_nothing(read: Reader, text: str, target: str) -> None:
    understood = read(text)
    assert understood.excluded == ()
    assert understood.target == target
