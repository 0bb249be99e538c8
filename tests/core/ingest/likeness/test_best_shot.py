"""Which of several like photos to keep, and the reason."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.photo import (
    Camera,
    Companion,
    CompanionRole,
    FileStamp,
    Look,
    Photo,
    PhotoId,
)
from core.ingest.likeness.best_shot import best_shot
from tests.core.conftest import Picture, facts

PLAIN = replace(facts(Picture("red"), 1), width=4000, height=3000, look=Look("0" * 16, 100.0, 0.02))


def shot(name: str, *companions: CompanionRole, size: int = 1000, **changes: object) -> Photo:
    stamp = FileStamp(Path(f"/photos/{name}.jpg"), size, 0)
    beside = tuple(Companion(role, replace(stamp, size=2)) for role in companions)
    return Photo(PhotoId(1), replace(PLAIN, **changes), (stamp,), beside)  # type: ignore[arg-type]


RATED = shot("rated", rating=5, look=Look("", 10.0, 0.5))
SHARP = shot("sharp", look=Look("", 200.0, 0.02))
USUAL = shot("usual")
BURNT = shot("burnt", look=Look("", 300.0, 0.2))
SMALL = shot("small", width=1600, height=1200, look=Look("", 500.0, 0.0))
REJECTED = shot("rejected", rating=-1, look=Look("", 500.0, 0.0))
FROM_CAMERA = shot("camera", camera=Camera("Canon"), look=Look("", 90.0, 0.03))
EDITED = shot("edited", CompanionRole.ORIGINAL, look=Look("", 500.0, 0.0))
WITH_RAW = shot("raw", CompanionRole.RAW)
LARGE = shot("a-large", size=2000)
UNKNOWN = shot("unknown", look=Look())


@pytest.mark.parametrize(
    ("best", "others", "reason"),
    [
        (RATED, [SHARP, USUAL, SMALL], "rated highest, 5 of 5"),
        (USUAL, [REJECTED], "not rejected"),
        (USUAL, [SMALL], "the most pixels, 4000 × 3000"),
        (USUAL, [EDITED], "not an edited copy"),
        (FROM_CAMERA, [SHARP], "the camera's own data are in it"),
        (USUAL, [BURNT], "the least burnt out or black, 2%"),
        (SHARP, [USUAL], "the sharpest"),
        (SHARP, [USUAL, BURNT], "the least burnt out or black, 2%, then the sharpest"),
        (WITH_RAW, [USUAL], "its raw file is there too"),
        (LARGE, [USUAL], "the largest file"),
        (LARGE, [UNKNOWN], "the largest file"),
        (USUAL, [shot("vague", look=Look("", 97.0, 0.02))], "the sharpest by a little"),
        (shot("a"), [shot("b")], "they are alike: the first by name"),
    ],
)
def test_the_best_and_its_reason(best: Photo, others: list[Photo], reason: str) -> None:
    for members in itertools.permutations([best, *others]):
        found = best_shot(members)
        assert (found.photo.path, found.reason) == (best.path, reason)


def test_a_difference_that_nobody_sees_decides_nothing() -> None:
    """A tenth less sharp is as good, so that the raw file beside it counts."""
    nearly = replace(WITH_RAW, facts=replace(PLAIN, look=Look("", 93.0, 0.02)))
    assert best_shot([USUAL, nearly]).photo is nearly


def test_one_alone_is_the_best() -> None:
    assert best_shot([USUAL]).photo is USUAL
