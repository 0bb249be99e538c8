"""Labels from captions, honest probabilities, their picture."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.benchmark.datasets.presence import Phrase, presence_labels, stems
from core.benchmark.honesty import auc, calibration_error, precision_and_recall
from core.benchmark.reliability import reliability_picture

WORDS = st.sampled_from(["dog", "dogs", "cat", "red", "ball", "beach"])
CAPTIONS = st.lists(st.lists(WORDS, max_size=5).map(" ".join), min_size=1, max_size=5)


@given(photos=st.lists(CAPTIONS, min_size=1, max_size=6))
def test_labels_are_those_of_reading_every_caption(photos: list[list[str]]) -> None:
    phrases = [
        Phrase("dog", "animals", (stems("dog"),)),
        Phrase("red ball", "things", (stems("red ball"), stems("ball beach"))),
    ]
    present, absent = presence_labels(phrases, photos)
    for row, phrase in enumerate(phrases):
        for column, captions in enumerate(photos):
            said = sum(any(w <= stems(c) for w in phrase.wordings) for c in captions)
            assert present[row, column] == (said >= 2)
            assert absent[row, column] == (said == 0)


def test_an_honest_model_has_a_small_error_and_a_boaster_a_large_one() -> None:
    rng = np.random.default_rng(0)
    told = rng.random(20_000).astype(np.float32)
    there = rng.random(20_000) < told
    assert calibration_error(told, there) < 0.02
    assert calibration_error(np.sqrt(told), there) > 0.1
    assert auc(told, there) == pytest.approx(5 / 6, abs=0.01)


def test_precision_and_recall_by_hand() -> None:
    chosen = np.array([True, True, False, False])
    assert precision_and_recall(chosen, np.array([True, False, True, True])) == (0.5, 1 / 3)
    assert precision_and_recall(np.zeros(2, bool), np.zeros(2, bool)) == (0.0, 0.0)


def test_the_picture_shows_dishonesty() -> None:
    told = np.repeat(np.float32([0.15, 0.95]), 100)
    honest = np.arange(200) % 100 < np.repeat([15, 95], 100)
    pictures = [reliability_picture({"all": (told, there)}) for there in (honest, ~honest)]
    assert pictures[0] != pictures[1]
    with Image.open(io.BytesIO(pictures[0])) as drawn:
        assert drawn.format == "PNG"
