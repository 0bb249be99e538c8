"""Leads, plural and singular, rewrites, and what is not understood."""

import pytest

from tests.core.language.conftest import Reader

LEADS = [
    # (text, target, several)
    ("show me photos of dogs on a beach", "dogs on a beach", True),
    ("Show me all pictures of a red car", "a red car", True),
    ("find a dog in the snow", "a dog in the snow", True),
    ("find the photo where a dog jumps over a fence", "a dog jumps over a fence", False),
    ("a picture of a cat on a sofa", "a cat on a sofa", False),
    ("the photo with the red balloon", "the red balloon", False),
    ("photos of children playing", "children playing", True),
    ("Can you find me the picture that shows two horses?", "two horses", False),
    ("I'm looking for a picture of a lighthouse", "a lighthouse", False),
    ("please show me images with mountains", "mountains", True),
    ("a dog", "a dog", True),
    ("DOGS ON THE BEACH!!!", "dogs on the beach", True),
    ("a dog... on the beach", "a dog on the beach", True),
    ("the one with the two cats", "the two cats", False),
]


@pytest.mark.parametrize(("text", "target", "several"), LEADS, ids=[c[0] for c in LEADS])
def test_a_lead_is_taken_off_and_counted(
    read: Reader, text: str, target: str, several: bool
) -> None:
    understood = read(text)
    assert (understood.target, understood.several) == (target, several)


def test_rewrites_begin_with_the_sentence_of_all_constraints(read: Reader) -> None:
    understood = read("a man in a red hat riding a horse on the beach at sunset, no cars")
    assert understood.rewrites[0] == "a man, a red hat, riding a horse and a beach at sunset"
    assert 1 <= len(understood.rewrites) <= 4
    assert understood.target not in understood.rewrites
    assert not any("cars" in rewrite for rewrite in understood.rewrites)


@pytest.mark.parametrize("text", ["", "   ", "?!", "in July 2020", "🙂", "no people"])
def test_a_query_that_shows_nothing_still_has_a_target(read: Reader, text: str) -> None:
    assert read(text).target == "a photo"


def test_date_place_and_exclusion_together(read: Reader) -> None:
    understood = read("Photos of a church in Vienna from July 2021 at night, without people")
    assert understood.target == "a church at night"
    assert understood.when is not None
    assert understood.when.text == "from July 2021"
    assert understood.where is not None
    assert [c.text for c in understood.excluded] == ["people"]


def test_an_unread_script_is_noted(read: Reader) -> None:
    assert any("English" in note for note in read("夕日の写真").notes)
