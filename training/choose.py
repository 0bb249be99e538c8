"""Chooses the manifest's thresholds on validation photos, and checks them on test photos."""

import tomllib
from pathlib import Path

import numpy as np

from core.benchmark.datasets.presence import Phrase, presence_labels
from core.domain.arrays import Float32Array
from training import thresholds
from training.calibrate import (
    Calibration,
    Encode,
    LabelledPhotos,
    calibrator,
    figures_of,
    labelled_pairs,
    likeness,
)
from training.dataset import CaptionedPhotos
from training.thresholds import Pairs

_NONSENSE = Path(__file__).parent / "nonsense.toml"
_PRECISION = 0.6
_CONCEPT_PRECISION = 0.5
_MISSES = 0.1


def labelled(
    data: CaptionedPhotos, phrases: list[Phrase], vectors: Float32Array, split: str
) -> LabelledPhotos:
    """The photos of a split with what their captions say that they show."""
    rows = data.rows(split)
    return LabelledPhotos(
        vectors[rows], *presence_labels(phrases, [data.captions[row] for row in rows])
    )


def choose(
    data: CaptionedPhotos,
    phrases: list[Phrase],
    found: Calibration,
    encode: Encode,
    vectors: Float32Array,
) -> tuple[dict[str, float], dict[str, float]]:
    """The thresholds, and figures that tell how good they are."""
    photos = labelled(data, phrases, vectors, "val")
    p = _probabilities(found, [phrase.text for phrase in phrases], encode, photos.vectors)
    pairs = labelled_pairs(p, photos)
    exclude, f1 = thresholds.best_mean_f(_exclusions(phrases, p, photos))
    answered, nonsense = _best(data, found, encode, photos.vectors)
    nothing, lost, refused = thresholds.nothing_matches(answered, nonsense)
    chosen = {
        "present_above": thresholds.least_with_precision(pairs, _PRECISION),
        "absent_below": thresholds.greatest_with_misses(pairs, _MISSES),
        "exclude_above": exclude,
        "nothing_matches_below": nothing,
        "concept_floor": thresholds.least_with_precision(pairs, _CONCEPT_PRECISION),
        "near_duplicate_above": thresholds.near_duplicate(vectors[data.rows("train")]),
    }
    figures = {"exclusion_f1": f1, "captions_refused": lost, "nonsense_refused": refused}
    return {name: round(value, 4) for name, value in chosen.items()}, figures


def presence_of(
    data: CaptionedPhotos,
    phrases: list[Phrase],
    found: Calibration,
    encode: Encode,
    vectors: Float32Array,
) -> dict[str, float]:
    """The quality of the calibration on test photos."""
    photos = labelled(data, phrases, vectors, "test")
    p = _probabilities(found, [phrase.text for phrase in phrases], encode, photos.vectors)
    figures = figures_of(labelled_pairs(p, photos))
    return {f"test_{name}": value for name, value in figures.items()}


def _probabilities(
    found: Calibration, texts: list[str], encode: Encode, vectors: Float32Array
) -> Float32Array:
    worded = encode([found.template.format(phrase=text) for text in texts])
    return calibrator(found.tensors).probabilities(worded, vectors)


def _exclusions(phrases: list[Phrase], p: Float32Array, photos: LabelledPhotos) -> list[Pairs]:
    """One group of labelled pairs for each of the things that people like to exclude."""
    known = photos.present | photos.absent
    return [
        Pairs(p[row][known[row]], photos.present[row][known[row]])
        for row, phrase in enumerate(phrases)
        if phrase.text in thresholds.COMMON_EXCLUSIONS and photos.present[row].any()
    ]


def _best(
    data: CaptionedPhotos, found: Calibration, encode: Encode, vectors: Float32Array
) -> tuple[Float32Array, Float32Array]:
    """The best likeness over all photos of each validation caption, and of each nonsense."""
    captions = [data.captions[row][0] for row in data.rows("val")]
    nonsense = tomllib.loads(_NONSENSE.read_text(encoding="utf-8"))["queries"]
    like = likeness(found.tensors)
    real, unreal = (
        like.probabilities(
            encode([found.template.format(phrase=text) for text in texts]), vectors
        ).max(1)
        for texts in (captions, nonsense)
    )
    return np.asarray(real), np.asarray(unreal)
