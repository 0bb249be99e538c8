from datetime import datetime

import numpy as np
import pytest

from core.domain.place import GeoPoint
from core.domain.query import (
    Condition,
    ConditionKind,
    PlaceFilter,
    Polarity,
    TimeFilter,
    Understanding,
)
from core.domain.verdict import VerdictState
from core.search.verifier import Verifier, failed

PLUS, MINUS = Polarity.POSITIVE, Polarity.NEGATIVE
VIENNA = GeoPoint(48.208, 16.372)


def verdicts(gallery, *conditions, photos=(1,), when=None, where=None):
    asked = Understanding("x", conditions, when=when, where=where)
    return Verifier(gallery, asked).verify(photos)


def state(gallery, condition, photo, **filters):
    return verdicts(gallery, condition, photos=(photo,), **filters)[photo][0].state


@pytest.fixture
def gallery(make_gallery, picture):
    return make_gallery(
        [
            picture("red", datetime(2021, 7, 4), VIENNA),
            picture("red red red red red red red blue blue", datetime(2020, 1, 1), GeoPoint(0, 0)),
            "green",
        ]
    )


@pytest.mark.parametrize(
    ("condition", "photo", "expected"),
    [
        (Condition("red", PLUS, ConditionKind.THING), 1, VerdictState.KEPT),
        (Condition("red", PLUS, ConditionKind.THING), 3, VerdictState.ABSENT),
        (Condition("red", PLUS, ConditionKind.ATTRIBUTE), 3, VerdictState.CHANGED),
        (Condition("blue", PLUS, ConditionKind.THING), 2, VerdictState.UNSURE),
        (Condition("blue", MINUS, ConditionKind.THING), 1, VerdictState.ABSENT),
        (Condition("red", MINUS, ConditionKind.THING), 1, VerdictState.CHANGED),
    ],
)
def test_what_a_photo_shows(gallery, condition, photo, expected):
    assert state(gallery, condition, photo) is expected


def test_when_and_where_by_metadata(gallery):
    july = Condition("in July", PLUS, ConditionKind.TIME)
    when = TimeFilter("in July", months=frozenset({7}))
    assert state(gallery, july, 1, when=when) is VerdictState.KEPT
    assert state(gallery, july, 2, when=when) is VerdictState.CHANGED
    assert state(gallery, july, 3, when=when) is VerdictState.UNSURE
    assert state(gallery, july, 1) is VerdictState.UNSURE
    vienna = Condition("in Vienna", PLUS, ConditionKind.PLACE)
    where = PlaceFilter("in Vienna", (VIENNA,), 25.0)
    found = verdicts(gallery, vienna, photos=(1, 2, 3), where=where)
    assert [found[i][0].state for i in (1, 2, 3)] == [
        VerdictState.KEPT,
        VerdictState.CHANGED,
        VerdictState.UNSURE,
    ]
    assert found[1][0].evidence == "0 km away"
    assert found[3][0].evidence == ""


def test_evidence_is_what_the_profile_says(gallery):
    red = Condition("a red thing", PLUS, ConditionKind.THING)
    found = verdicts(gallery, red, photos=(1, 3))
    assert found[1][0].evidence == "red 1.00"
    assert found[3][0].evidence == ""


def test_a_batch_is_like_one_by_one(gallery):
    conditions = (
        Condition("red", PLUS, ConditionKind.THING),
        Condition("blue", MINUS, ConditionKind.THING),
    )
    photos = (3, 1, 2)
    batch = verdicts(gallery, *conditions, photos=photos)
    assert list(batch) == list(photos)
    for photo in photos:
        alone = verdicts(gallery, *conditions, photos=(photo,))[photo]
        assert [v.state for v in batch[photo]] == [v.state for v in alone]
        assert np.allclose(
            [v.probability for v in batch[photo]], [v.probability for v in alone], atol=1e-5
        )


def test_no_conditions_no_verdicts(gallery):
    assert verdicts(gallery, photos=(1, 2)) == {1: (), 2: ()}


def test_what_counts_as_failed(gallery):
    conditions = (
        Condition("green", PLUS, ConditionKind.THING),
        Condition("red", MINUS, ConditionKind.THING),
    )
    assert [failed(v) for v in verdicts(gallery, *conditions)[1]] == [True, True]
    assert [failed(v) for v in verdicts(gallery, *conditions, photos=(3,))[3]] == [False, False]
