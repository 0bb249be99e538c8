"""The polarity guard: a negative names the thing, never its absence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.negation import name_unwanted

CASES = [
    ("no people", "people"),
    ("people", "people"),
    ("nobody", "people"),
    ("no one", "people"),
    ("no-one", "people"),
    ("anyone", "people"),
    ("any humans", "people"),
    ("without any people", "people"),
    ("not a person", "people"),
    ("a man", "man"),
    ("women", "women"),
    ("no child", "child"),
    ("without cars", "cars"),
    ("isn't on a leash", "leash"),
    ("not wearing a red hat", "red hat"),
    ("there are no cars in it", "cars"),
    ("photo without dogs", "photo dogs"),
    ("never", ""),
    ("nothing", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "name"), CASES)
def test_the_thing_is_named(text: str, name: str) -> None:
    assert name_unwanted(text) == name


NEGATIONS = st.sampled_from(
    [
        "no",
        "not",
        "without",
        "nobody",
        "none",
        "never",
        "neither",
        "nor",
        "isn't",
        "don't",
        "cannot",
    ]
)
WORDS = st.one_of(NEGATIONS, st.sampled_from(["people", "cars", "red", "hat", "of", "the", "and"]))


@given(st.lists(WORDS, max_size=8))
def test_no_negation_is_left(words: list[str]) -> None:
    left = name_unwanted(" ".join(words)).split()
    forbidden = {"no", "not", "without", "nobody", "none", "never", "neither", "nor", "cannot"}
    assert not forbidden & set(left)
    assert not any(word.endswith("n't") for word in left)


@given(st.lists(WORDS, max_size=8))
def test_naming_again_changes_nothing(words: list[str]) -> None:
    once = name_unwanted(" ".join(words))
    assert name_unwanted(once) == once
