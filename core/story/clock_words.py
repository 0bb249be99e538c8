"""Words for times of the day, and whether a photo's clock contradicts them."""

import re

import numpy as np

from core.domain.arrays import BoolArray, Int64Array

_HOURS: dict[str, tuple[int, int]] = {
    r"morning|sunrise|dawn|breakfast": (3, 12),
    r"daylight|midday|noon|lunch": (8, 18),
    r"afternoon": (11, 20),
    r"sunset|dusk|evening": (15, 24),
    r"night|midnight|fireworks": (17, 30),
}
"""First and last hour, generous: the sun keeps other hours in other seasons and latitudes."""


def contradicted(words: str, hour: Int64Array, timed: BoolArray) -> BoolArray:
    """Which photos (n) were surely not taken at the time of day that the words name.

    `hour` is local; `timed` says where it is known. Words that name several times, or none,
    contradict nothing.
    """
    named = [span for sign, span in _HOURS.items() if re.search(rf"\b({sign})\b", words.lower())]
    if len(named) != 1:
        return np.zeros(len(hour), np.bool_)
    first, last = named[0]
    inside = ((hour >= first) & (hour < last)) | (hour + 24 < last)
    return np.asarray(timed & ~inside)
