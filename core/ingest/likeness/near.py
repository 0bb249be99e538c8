"""All pairs of hashes that differ in few bits, without comparing all pairs.

Multi-index hashing: two 64-bit hashes within d bits of each other differ by at most d // 4 bits in
at least one of their four bands of 16 bits. So for each band, each hash meets only those whose
band equals its own with up to d // 4 bits turned, found in buckets; the whole hashes decide.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.domain.arrays import BoolArray, Int64Array
from core.progress import Progress

Hashes = npt.NDArray[np.uint64]
Pairs = tuple[Int64Array, Int64Array]
_BANDS = 4
_BAND_BITS = 16
_BUCKETS = 1 << _BAND_BITS
_CHUNK = 1 << 20
"""Pairs that are looked at together: what bounds the memory."""

BLOCK = 1024
"""Rows whose followers are looked at together."""


@dataclass(frozen=True, slots=True)
class _Band:
    """One band of all hashes: each one's bucket, and the hashes bucket by bucket."""

    buckets: Int64Array
    order: Int64Array
    starts: Int64Array
    counts: Int64Array


def hash_pairs(hashes: Hashes, within: int, progress: Progress) -> Iterator[Pairs]:
    """Every pair (i < j) of (n) hashes at most `within` bits apart, once, in chunks.

    Raises Cancelled.
    """
    radius = within // _BANDS
    turns = _turns(radius)
    for number in range(_BANDS):
        band = _band(hashes, number)
        for turn in progress.track("hashes", turns, len(turns)):
            for left, right in _met(band, turn, progress):
                apart = hashes[left] ^ hashes[right]
                close = np.bitwise_count(apart) <= within
                close[close] = ~_met_before(apart[close], number, radius)
                if close.any():
                    yield (
                        np.minimum(left[close], right[close]),
                        np.maximum(left[close], right[close]),
                    )


def followers(rows: Int64Array, start: int, most: int) -> Pairs:
    """Each row of the block that begins at `start` with each of the few that follow it."""
    block = np.arange(start, min(start + BLOCK, len(rows)))
    left = np.repeat(block, most)
    right = left + np.tile(np.arange(1, most + 1), len(block))
    inside = right < len(rows)
    return rows[left[inside]], rows[right[inside]]


def bits_apart(one: Hashes, other: Hashes) -> Int64Array:
    """In how many bits hashes differ, pair by pair."""
    return np.asarray(np.bitwise_count(one ^ other), np.int64)


def _turns(most: int) -> list[int]:
    """Every way to turn up to so many bits of a band."""
    return [
        sum(1 << bit for bit in bits)
        for count in range(most + 1)
        for bits in combinations(range(_BAND_BITS), count)
    ]


def _part(hashes: Hashes, number: int) -> Hashes:
    shift, mask = np.uint64(number * _BAND_BITS), np.uint64(_BUCKETS - 1)
    return np.asarray((hashes >> shift) & mask)


def _band(hashes: Hashes, number: int) -> _Band:
    buckets = _part(hashes, number).astype(np.int64)
    counts = np.bincount(buckets, minlength=_BUCKETS)
    starts = np.cumsum(counts) - counts
    return _Band(buckets, np.argsort(buckets, kind="stable"), starts, counts)


def _met(band: _Band, turn: int, progress: Progress) -> Iterator[Pairs]:
    """Pairs whose bands differ in exactly the bits of `turn`, each once."""
    other = band.buckets ^ turn
    one = np.arange(len(other))
    if turn:  # of two buckets that meet, the lower one looks for the higher
        one = np.flatnonzero(band.buckets < other)
    sizes = band.counts[other[one]]
    one, sizes = one[sizes > 0], sizes[sizes > 0]
    ends = np.cumsum(sizes)
    begin = 0
    while begin < len(one):
        progress.check()
        done = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, done + _CHUNK, side="right")))
        left = np.repeat(one[begin:end], sizes[begin:end])
        within = np.arange(len(left)) - np.repeat(
            ends[begin:end] - sizes[begin:end] - done, sizes[begin:end]
        )
        right = band.order[band.starts[other[left]] + within]
        yield (left, right) if turn else _ordered(left, right)
        begin = end


def _ordered(left: Int64Array, right: Int64Array) -> Pairs:
    """Of the pairs within one bucket each once, and none with itself."""
    once = left < right
    return left[once], right[once]


def _met_before(apart: Hashes, number: int, radius: int) -> BoolArray:
    """Which pairs an earlier band has brought together already."""
    before = np.zeros(len(apart), np.bool_)
    for earlier in range(number):
        before |= np.bitwise_count(_part(apart, earlier)) <= radius
    return before
