"""Fits the presence calibration, and chooses thresholds, on photos that the head never saw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends.starter.calibration import (
    PresenceCalibrator,
    calibrator_from,
    likeness_from,
)
from core.backends.starter.prior import Prior, fit_prior
from core.benchmark.datasets.presence import Phrase
from core.benchmark.honesty import auc, calibration_error
from core.domain.arrays import BoolArray, Float32Array
from training.thresholds import Pairs

TEMPLATES = ("{phrase}", "a photo of {phrase}", "there is {phrase}")
_LEAST_PRESENT = 3
_MOST_COMMON = 3.0
_STEPS = 50
_RIDGE = 1e-3

Encode = Callable[[Sequence[str]], Float32Array]


@dataclass(frozen=True, slots=True)
class LabelledPhotos:
    """Vectors (n, d) of photos, and which of the phrases (m) they show or surely don't: (m, n)."""

    vectors: Float32Array
    present: BoolArray
    absent: BoolArray


@dataclass(frozen=True, slots=True)
class Calibration:
    """The chosen wording, the calibrator with its tensors, and how good it is."""

    template: str
    tensors: dict[str, Float32Array]
    figures: dict[str, float]


def calibrate(
    phrases: Sequence[Phrase], encode: Encode, train: LabelledPhotos, held_out: LabelledPhotos
) -> Calibration:
    """The best wording with its calibration: least log loss on held-out photos.

    How common things are is counted on `train`, whose photos the encoder has seen; what a cosine
    is worth is fitted on `held_out`.
    """
    fitted = [_fit(template, phrases, encode, train, held_out) for template in TEMPLATES]
    return min(fitted, key=lambda one: one.figures["log_loss"])


def calibrator(tensors: dict[str, Float32Array]) -> PresenceCalibrator:
    """The calibrator of a calibration's tensors."""
    return calibrator_from(tensors)


def likeness(tensors: dict[str, Float32Array]) -> PresenceCalibrator:
    """The calibrator without a prior of a calibration's tensors."""
    return likeness_from(tensors)


def measured(photos: LabelledPhotos) -> BoolArray:
    """The phrases (m,) that enough photos show to count how common they are."""
    return np.asarray(photos.present.sum(1) >= _LEAST_PRESENT)


def labelled_pairs(probabilities: Float32Array, photos: LabelledPhotos) -> Pairs:
    """The probabilities of all pairs whose label is known, with the labels.

    Phrases that fewer than three photos show are left out.
    """
    used = photos.present.sum(1) >= _LEAST_PRESENT
    known = (photos.present | photos.absent) & used[:, None]
    return Pairs(probabilities[known], photos.present[known])


def figures_of(pairs: Pairs) -> dict[str, float]:
    """AUC, expected calibration error and log loss of labelled pairs."""
    p = np.clip(pairs.probabilities, 1e-6, 1 - 1e-6)
    loss = -np.where(pairs.labels, np.log(p), np.log1p(-p)).mean()
    return {
        "auc": auc(pairs.probabilities, pairs.labels),
        "ece": calibration_error(pairs.probabilities, pairs.labels),
        "log_loss": float(loss),
    }


def _fit(
    template: str,
    phrases: Sequence[Phrase],
    encode: Encode,
    train: LabelledPhotos,
    photos: LabelledPhotos,
) -> Calibration:
    vectors = encode([template.format(phrase=phrase.text) for phrase in phrases])
    mean = train.vectors.mean(0).astype(np.float32)
    covariance = np.cov(train.vectors, rowvar=False).astype(np.float32)
    plain = PresenceCalibrator(mean, covariance, np.array([1, 0, 0, 0], np.float32))
    prior = _prior(vectors, train)
    means, deviations = plain.moments(vectors)
    z, odds = plain.z_scores(vectors, photos.vectors), prior.log_odds(vectors)
    rows = (means / deviations, np.log(deviations), odds)
    wide = [np.broadcast_to(row[:, None], z.shape) for row in rows]
    columns = [z, *wide, z * odds[:, None]]
    used = photos.present.sum(1) >= _LEAST_PRESENT
    known = (photos.present | photos.absent) & used[:, None]
    inputs = np.stack([column[known] for column in columns], axis=1)
    weights = logistic(inputs, photos.present[known])
    tensors = {"image.mean": mean, "image.covariance": covariance, "logistic.weights": weights}
    tensors |= prior.tensors | {"likeness.weights": logistic(inputs[:, :3], photos.present[known])}
    pairs = labelled_pairs(calibrator(tensors).probabilities(vectors, photos.vectors), photos)
    return Calibration(template, tensors, figures_of(pairs))


def _prior(vectors: Float32Array, train: LabelledPhotos) -> Prior:
    shown, lacking = train.present.sum(1), train.absent.sum(1)
    odds = np.log((shown + 0.5) / (lacking + 0.5)).astype(np.float32)
    counted = measured(train)
    least = float(np.log(_LEAST_PRESENT / len(train.vectors)))
    bounds = (least, _MOST_COMMON)
    return fit_prior(vectors[counted], odds[counted], shown[counted].astype(np.float32), bounds)


def logistic(inputs: Float32Array, labels: BoolArray) -> Float32Array:
    """Weights (f + 1,) of a logistic regression, the bias last, by Newton's method."""
    x = np.column_stack([inputs, np.ones(len(inputs))]).astype(np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (p - labels) / len(x) + _RIDGE * weights / len(x)
        hessian = (x * (p * (1 - p))[:, None]).T @ x / len(x) + _RIDGE * np.eye(len(weights)) / len(
            x
        )
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights.astype(np.float32)
