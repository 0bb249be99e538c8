"""Φ, the score of a path (BundleWeaver, equation 5 as we read its description).

Φ(B_k) = 1/k Σ_i [ (1−λ)·cos(e_{d_i}, e_{x_i}) + λ·cos(e_q, e_{x_i}) ]
"""

import numpy as np

from core.domain.arrays import Float32Array, Float64Array

_DECIMALS = 9
"""Equal photos must tie wherever they lie in a matrix product."""


def gains(
    directions: Float32Array, subject: Float32Array, photos: Float32Array, subject_weight: float
) -> Float64Array:
    """What each photo adds in each role: (1−λ)·cos(e_d, e_x) + λ·cos(e_q, e_x), (m, n).

    `directions` (m, dim) are the sub-queries, `subject` (dim) the brief, `photos` (n, dim);
    all unit rows. `subject_weight` is λ.
    """
    to_directions = directions.astype(np.float64) @ photos.astype(np.float64).T
    to_subject = photos.astype(np.float64) @ subject.astype(np.float64)
    gain = (1 - subject_weight) * to_directions + subject_weight * to_subject
    return np.asarray(np.round(gain, _DECIMALS), np.float64)


def path_score(gain: Float64Array, path: tuple[int, ...]) -> float:
    """Φ of a path: `path[j]` is the photo in role j, −1 where the role is open; 0 when empty."""
    filled = [(role, photo) for role, photo in enumerate(path) if photo >= 0]
    return sum(float(gain[role, photo]) for role, photo in filled) / max(len(filled), 1)
