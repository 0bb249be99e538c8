"""Things and the phrases under which they show themselves."""

import pytest

from core.language.appearances import appearances
from core.language.vocabulary import read_table
from core.language.wordings import word_set
from core.language.words import canonical


@pytest.mark.parametrize("name", ["people", "person", "persons", "anyone", "humans"])
def test_people_show_themselves_as_men_women_and_children(name: str) -> None:
    assert {"man", "woman", "child", "crowd"} <= set(appearances(name))
    assert appearances(name)[0] == name


@pytest.mark.parametrize("name", ["dog", "a red hat", "old man", "", "zebra crossing"])
def test_what_is_not_known_shows_itself_under_its_own_name(name: str) -> None:
    assert appearances(name) == (name,)


def test_no_phrase_is_a_negation_and_every_name_is_canonical() -> None:
    for thing in read_table("appearances.toml")["thing"]:
        assert all(canonical(name) == name for name in thing["names"])
        words = {word for phrase in thing["phrases"] for word in phrase.split()}
        assert not words & word_set("negation", "words")
