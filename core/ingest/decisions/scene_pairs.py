"""Pairs of photos of one scene by two sets of devices: each the other's most similar one.

Bounded: of more photos than the limits an even sample is compared, block by block.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array, Int64Array
from core.ingest.sessions.distance import is_farther
from core.progress import Progress
from core.store.clocks import Sighting
from core.store.library import Library

_MOST_WRONG = 2_000
_MOST_RIGHT = 50_000
_BLOCK = 5_000
_NEAR_KM = 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two photos that may show one scene."""

    wrong: Sighting
    right: Sighting
    similarity: float


def pairs_of_scenes(
    library: Library,
    model: str,
    devices: tuple[Sequence[Sighting], Sequence[Sighting]],
    above: float,
    progress: Progress,
) -> list[Candidate]:
    """Mutually nearest photos of the two sets with a cosine of at least `above`, not far apart."""
    wrong, mine = _with_vectors(library, model, _sample(devices[0], _MOST_WRONG))
    sample = _sample(devices[1], _MOST_RIGHT)
    best = np.full(len(wrong), -np.inf, np.float32)
    nearest: list[Sighting | None] = [None] * len(wrong)
    rivals: dict[int, int] = {}  # a better device's photo: the row that it is nearest to
    for start in range(0, len(sample), _BLOCK):
        progress.check()
        right, theirs = _with_vectors(library, model, sample[start : start + _BLOCK])
        if not right or not wrong:
            continue
        cosines = mine @ theirs.T
        rows: Int64Array = cosines.argmax(axis=0)
        rivals |= {s.photo_id: int(row) for s, row in zip(right, rows, strict=True)}
        for row in np.flatnonzero(cosines.max(axis=1) > best):
            column = int(cosines[row].argmax())
            best[row], nearest[row] = cosines[row, column], right[column]
    return [
        Candidate(one, other, float(cosine))
        for row, (one, other, cosine) in enumerate(zip(wrong, nearest, best, strict=True))
        if other is not None
        and cosine >= above
        and rivals[other.photo_id] == row
        and not _is_far(one, other)
    ]


def _sample(sightings: Sequence[Sighting], most: int) -> Sequence[Sighting]:
    if len(sightings) <= most:
        return sightings
    return [sightings[i] for i in np.linspace(0, len(sightings) - 1, most).astype(int)]


def _with_vectors(
    library: Library, model: str, sightings: Sequence[Sighting]
) -> tuple[list[Sighting], Float32Array]:
    by_id = {sighting.photo_id: sighting for sighting in sightings}
    ids, vectors = library.vectors.of(model, list(by_id))
    return [by_id[photo_id] for photo_id in ids], vectors


def _is_far(one: Sighting, other: Sighting) -> bool:
    if one.point is None or other.point is None:
        return False
    return is_farther(one.point, other.point, _NEAR_KM)
