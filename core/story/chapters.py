"""Cuts a trip into the parts that its story should span."""

import numpy as np

from core.domain.arrays import Float64Array, Int64Array


def chapters(day: Int64Array, seconds: Float64Array, most: int) -> Int64Array:
    """The part, counted from 0, of each of (n) photos in time order; at most `most` parts.

    Of more days than `most`, each part holds equally many. Of fewer, each is a part, and the
    longest pauses within days cut them further.
    """
    days, at = np.unique(day, return_inverse=True)
    if len(days) >= most:
        return np.asarray(at * most // len(days), np.int64)
    pause = np.diff(seconds)
    night = np.diff(at) > 0
    worth = np.where(night, np.inf, pause)
    cuts = np.argsort(-worth, kind="stable")[: most - 1]
    cuts = cuts[worth[cuts] > 0]
    return np.searchsorted(np.sort(cuts), np.arange(len(day)), side="left").astype(np.int64)
