"""Near-duplicates and bursts become one candidate before any role is filled."""

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array

_BURST_S = 2.0
_BURST_SLACK = 3.0
"""In a burst, photos may be this many times as far apart as near-duplicates."""

_REDUNDANCY_SLACK = 2.0


def burst_above(near_duplicate_above: float) -> float:
    """The cosine from which photos ≤ 2 s apart are one burst: 1 − 3 (1 − near-duplicate)."""
    return 1.0 - _BURST_SLACK * (1.0 - near_duplicate_above)


def alike(
    similarity: Float64Array, seconds: Float64Array, near_duplicate_above: float
) -> BoolArray:
    """Which pairs of (n) photos are near-duplicates or one burst, (n, n).

    `similarity` holds their cosines, (n, n); `seconds` their capture times, (n).
    """
    close = np.abs(seconds[:, None] - seconds[None, :]) <= _BURST_S
    return np.asarray(
        (similarity >= near_duplicate_above)
        | (close & (similarity >= burst_above(near_duplicate_above)))
    )


def redundancy(similarity: Float64Array, near_duplicate_above: float) -> Float64Array:
    """How much two photos say the same, (n, n): 1 from near-duplicates on, falling to 0 for
    photos that are twice as far apart.
    """
    floor = 1.0 - _REDUNDANCY_SLACK * (1.0 - near_duplicate_above)
    span = max(near_duplicate_above - floor, 1e-9)
    return np.asarray(np.clip((similarity - floor) / span, 0.0, 1.0))


def groups(linked: BoolArray) -> Int64Array:
    """The number of each photo's group: everything linked to it, directly or through others."""
    label = np.arange(len(linked))
    while True:
        least = np.where(linked, label[None, :], len(label)).min(axis=1, initial=len(label))
        least = np.minimum(label, least)
        if np.array_equal(least, label):
            return label.astype(np.int64)
        label = least


def representatives(group: Int64Array, worth: Float64Array) -> Int64Array:
    """One index a group, ascending: the member of most worth, the first of equals."""
    order = np.lexsort((np.arange(len(group)), -worth, group))
    _, first = np.unique(group[order], return_index=True)
    return np.sort(order[first]).astype(np.int64)
