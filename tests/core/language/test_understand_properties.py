"""What holds for every query, whatever it says."""

import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.domain.query import Polarity
from core.language.negation import is_kind_of
from core.language.understand import understand
from core.language.words import canonical
from tests.core.language.conftest import DOG, MAN, TODAY, Atlas

NEGATIONS = {
    "no",
    "not",
    "without",
    "nobody",
    "none",
    "never",
    "neither",
    "nor",
    "cannot",
    "except",
}
SUBJECTS = st.sampled_from(["a dog", "two cats", "a man", "the boy", "an old car", "children"])
SCENES = st.sampled_from(["on the beach", "in a park", "in the snow", "on a street", "at night"])
THINGS = st.sampled_from(
    ["people", "cars", "a leash", "the ball", "boats", "trees", "flowers", "a hat", "bikes"]
)
EXCLUDING = st.sampled_from(
    [
        "without {}",
        "but no {}",
        "with no {}",
        "but not {}",
        "except {}",
        "free of {}",
        "without any {}",
        "minus {}",
        "remove {}",
        "get rid of {}",
        "instead of {}",
        "rather than {}",
        "lacking {}",
        "and {} is gone",
    ]
)
GRAMMAR_WORDS = """
a the dog beach people no not without but and or , . with on in at instead of rather than red blue
hat one two same keep replace change to make it remove nobody empty street only is isn't wearing
July 2020 near Vienna night nothing except 's more
"""
GRAMMAR = st.lists(st.sampled_from(GRAMMAR_WORDS.split()), max_size=14).map(" ".join)
REFERENCES = st.sampled_from([None, DOG, MAN])


@given(st.one_of(st.text(max_size=120), GRAMMAR), REFERENCES)
@settings(max_examples=400, deadline=None)
def test_no_text_is_refused_and_negatives_name_things(text: str, reference: object) -> None:
    understood = understand(text, TODAY, Atlas(), reference)  # type: ignore[arg-type]
    assert understood.target.strip()
    positive = {canonical(c.text) for c in understood.required}
    for condition in understood.excluded:
        words = condition.text.split()
        assert words
        assert not NEGATIONS & set(words)
        assert canonical(condition.text) not in positive
    assert len(understood.rewrites) <= 4
    assert all(rewrite.strip() for rewrite in understood.rewrites)


@given(SUBJECTS, SCENES, EXCLUDING, THINGS, REFERENCES)
@settings(max_examples=300, deadline=None)
def test_what_is_excluded_is_not_described(
    subject: str, scene: str, excluding: str, thing: str, reference: object
) -> None:
    assume(not is_kind_of(subject, canonical(thing)))
    text = f"{subject} {scene}, {excluding.format(thing)}"
    understood = understand(text, TODAY, Atlas(), reference)  # type: ignore[arg-type]
    noun = canonical(thing)
    assert understood.excluded, text
    named = [canonical(c.text) for c in understood.excluded]
    assert noun in named or f"group of {noun}" in named, text
    assert not re.search(rf"\b{re.escape(noun)}s?\b", understood.target), text
    assert subject.rsplit(maxsplit=1)[-1] in understood.target, text


@given(SUBJECTS, SCENES)
def test_a_plain_query_is_its_own_target(subject: str, scene: str) -> None:
    understood = understand(f"{subject} {scene}", TODAY, Atlas(), None)
    assert understood.target == f"{subject} {scene}"
    assert all(c.polarity is Polarity.POSITIVE for c in understood.conditions)


@given(GRAMMAR)
def test_understanding_is_a_function(text: str) -> None:
    assert understand(text, TODAY, Atlas()) == understand(text, TODAY, Atlas())
