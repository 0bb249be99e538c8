"""Bursts and time-lapses: runs of photos of one contributor, close in time and alike."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.ingest.likeness.likeness import Likeness
from core.ingest.likeness.look import LIKE_WITHIN
from core.ingest.likeness.near import BLOCK, Pairs, followers
from core.progress import Progress
from core.store.looks import LookColumns

BURST_S = 2.0
BURST_SLACK = 0.12
"""Within a burst things move: its photos may be less alike than near-duplicates by this cosine."""

_LAGS = 16
"""Photos of one second may come in any order where a camera writes no fractions of it."""

_LAPSE_FRAMES = 20
_LAPSE_LEAST_S, _LAPSE_MOST_S = 1.0, 600.0
_LAPSE_LIKE = 0.9
_APART = -1


def burst_pairs(likeness: Likeness, above: float, progress: Progress) -> Iterator[Pairs]:
    """Pairs of rows at most two seconds apart and alike: chains of them are bursts.

    A camera's clock must have told the second; each photo meets the 16 that follow it.
    """
    looks = likeness.looks
    order = by_contributor(looks)
    starts = range(0, len(order), BLOCK)
    for start in progress.track("bursts", starts, len(starts)):
        left, right = _close(looks, order, start)
        same = likeness.alike(left, right, above - BURST_SLACK, LIKE_WITHIN)
        yield left[same], right[same]


def by_contributor(looks: LookColumns) -> Int64Array:
    """The rows whose second is known, contributor by contributor, in capture order."""
    rows = np.flatnonzero(looks.exact & ~looks.moving)
    return rows[np.lexsort((looks.order[rows], looks.contributor[rows]))]


def _close(looks: LookColumns, order: Int64Array, start: int) -> Pairs:
    """Pairs of a block and what follows it, of one contributor and within two seconds."""
    left, right = followers(order, start, _LAGS)
    close = looks.order[right] - looks.order[left] <= BURST_S
    close &= looks.contributor[left] == looks.contributor[right]
    return left[close], right[close]


def time_lapses(likeness: Likeness, above: float, progress: Progress) -> Int64Array:
    """The number of each row's time-lapse, -1 for those in none; (n).

    A time-lapse is 20 photos or more of one contributor at even pauses of a second or more, nine
    in ten of them like the one before: each frame is wanted, none is a duplicate.
    """
    looks = likeness.looks
    order = by_contributor(looks)
    number = np.full(len(looks.ids), _APART, np.int64)
    for found, (begin, end) in enumerate(_even_runs(looks, order)):
        progress.check()
        frames = order[begin:end]
        if _alike_in_turn(likeness, frames, above):
            number[frames] = found
    return number


def _even_runs(looks: LookColumns, order: Int64Array) -> Iterator[tuple[int, int]]:
    """Runs of so many photos that each pause is about as long as the one before."""
    same = looks.contributor[order][1:] == looks.contributor[order][:-1]
    pauses = np.diff(looks.order[order])
    cuts = [0, *(np.flatnonzero(_breaks(pauses, same)) + 1), len(order)]
    for begin, end in pairwise(cuts):
        if end - begin >= _LAPSE_FRAMES:
            yield begin, end


def _breaks(pauses: Float64Array, same: BoolArray) -> BoolArray:
    """Before which photos a run ends: another contributor, or a pause unlike the one before."""
    fits = same & (pauses >= _LAPSE_LEAST_S) & (pauses <= _LAPSE_MOST_S)
    uneven = np.abs(np.diff(pauses)) > 0.5 + 0.1 * pauses[:-1]
    fits[1:] &= ~uneven | ~fits[:-1]
    return ~fits


def _alike_in_turn(likeness: Likeness, frames: Int64Array, above: float) -> bool:
    same = 0
    for start in range(0, len(frames) - 1, BLOCK):
        part = frames[start : start + BLOCK + 1]
        same += int(likeness.alike(part[:-1], part[1:], above - BURST_SLACK, LIKE_WITHIN).sum())
    return same >= _LAPSE_LIKE * (len(frames) - 1)
