"""When nothing matches: by what is missing, not by one flat cut-off."""

from dataclasses import replace

import numpy as np

from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.retrieval.reference import Reference
from core.search.abstain import Evidence

PICTURES = ["red", "red blue", "green"]


def wanted(text, kind=ConditionKind.THING):
    return Condition(text, Polarity.POSITIVE, kind)


def refusal(gallery, asked, kept=(1, 2, 3), reference=None):
    return Evidence(gallery, asked, reference, kept).refusal()


def test_what_a_photo_shows_is_answered_and_what_none_shows_is_not(make_gallery):
    gallery = make_gallery(PICTURES)
    assert refusal(gallery, Understanding("red", (wanted("red"),))) is None
    refused = refusal(gallery, Understanding("purple", (wanted("purple"),)))
    assert refused is not None
    assert "probability 0.00" in refused.reason


def test_nothing_kept_is_refused_and_nothing_named_is_not(make_gallery):
    gallery = make_gallery(PICTURES)
    assert refusal(gallery, Understanding("a photo", ()), kept=()) is not None
    assert refusal(gallery, Understanding("a photo", ())) is None


def test_a_thing_that_no_photo_shows_is_named_though_the_rest_is_there(make_gallery):
    gallery = make_gallery(PICTURES)
    asked = Understanding("red and purple", (wanted("red"), wanted("purple")))
    refused = refusal(gallery, asked)
    assert refused is not None
    assert refused.missing == ("purple",)
    scene = (wanted("red"), wanted("purple", ConditionKind.SCENE))
    assert refusal(gallery, replace(asked, conditions=scene)) is None
    many = (wanted("red"), wanted("green"), wanted("purple"))
    assert refusal(gallery, replace(asked, conditions=many)) is None


def test_a_thing_may_be_seen_beyond_the_kept_photos(make_gallery):
    asked = Understanding("red and green", (wanted("red"), wanted("green")))
    assert refusal(make_gallery(PICTURES), asked, kept=(1, 2)) is None


def test_a_change_without_a_thing_is_judged_by_likeness_to_the_reference(make_gallery):
    gallery = make_gallery(PICTURES)
    action = Understanding("blue", (wanted("blue", ConditionKind.ACTION),))
    red, green = gallery.vectors(np.array([1]))[0], gallery.vectors(np.array([3]))[0]
    assert refusal(gallery, action, reference=Reference(red)) is None
    gone = replace(action, target="purple", conditions=(wanted("purple", ConditionKind.ACTION),))
    assert refusal(gallery, gone, reference=Reference(green)) is not None


def test_the_near_miss_names_the_missing_thing(make_gallery, ask):
    answer = ask(make_gallery(PICTURES), "a purple elephant on green")
    if answer.abstained:
        assert set(answer.near_miss.failed) & {c.text for c in answer.understanding.required}
    missing = ask(make_gallery([]), "purple")
    assert missing.near_miss.failed == ("purple",)
