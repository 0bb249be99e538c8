"""How common things are: exact near what was measured, the mean far from it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.backends.starter.calibration import PresenceCalibrator
from core.backends.starter.prior import fit_prior, prior_from


def _vectors(seed: int, count: int, dim: int = 24) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(seed=st.integers(0, 999), count=st.integers(1, 12))
def test_phrases_that_many_photos_show_keep_their_log_odds(seed: int, count: int) -> None:
    vectors = _vectors(seed, count)
    odds = np.random.default_rng(seed + 1).uniform(-6, 0, count).astype(np.float32)
    prior = fit_prior(vectors, odds, np.full(count, 1e7, np.float32), (-9.0, 3.0))
    assert np.allclose(prior.log_odds(vectors), odds, atol=0.02)
    again = prior_from(prior.tensors)
    assert np.array_equal(again.log_odds(vectors), prior.log_odds(vectors))


@given(seed=st.integers(0, 999))
def test_bounds_hold_for_any_text(seed: int) -> None:
    prior = fit_prior(
        _vectors(seed, 6), np.linspace(-20, 20, 6, dtype=np.float32), np.ones(6), (-4.0, 1.0)
    )
    odds = prior.log_odds(_vectors(seed + 1, 50))
    assert odds.min() >= -4.0
    assert odds.max() <= 1.0


@given(seed=st.integers(0, 999))
def test_more_common_things_are_told_more_surely(seed: int) -> None:
    vectors, photos = _vectors(seed, 2), _vectors(seed + 1, 9)
    prior = fit_prior(vectors, np.array([-5, -1], np.float32), np.full(2, 1e6), (-8.0, 3.0))
    weights = np.array([1.5, 0, 0, 1, 0.2, 0], np.float32)
    model = PresenceCalibrator(np.zeros(24), np.eye(24), weights, prior)
    told = model.probabilities(vectors, photos)
    order = np.argsort(vectors @ photos.T, axis=1)
    assert (np.diff(np.take_along_axis(told, order, 1), axis=1) >= 0).all()
    flat = model.probabilities(vectors, np.zeros((1, 24), np.float32))
    assert flat[1, 0] > flat[0, 0]
