"""What pixels say without a model: a perceptual hash, how sharp they are, how much is lost.

The hash is of the DCT family: the signs of the 64 lowest frequencies of a 32 x 32 grey copy, the
mean left out. Measured on 7,063 everyday photos and 300 of them altered: half the size, a JPEG of
quality 30 or a tenth more light change at most 4 bits, a crop of 2 % a side at most 10; of
25 million pairs of different photos 1 lies within 4 bits, 5 within 10. Differences of neighbours
(dHash) do worse on both sides: up to 12 bits, and 330 pairs within 10.
"""

from functools import cache

import numpy as np
from PIL import Image

from core.domain.arrays import Float32Array, Int64Array
from core.domain.photo import Look

HASH_BITS = 64
SAME_WITHIN = 4
"""Bits within which two hashes alone make a near-duplicate: re-encoded, resized, brightened."""

LIKE_WITHIN = 11
"""Bits within which two photos may be near-duplicates; their vectors decide."""

_SIDE = 32
_FLAT_DEVIATION = 1.5
"""A copy whose grey deviates less than this shows nothing that a hash could tell apart."""

_SHARP_LONG_SIDE = 512
_BURNT, _BLACK = 252, 3


def look_of(thumbnail: Image.Image) -> Look:
    """The look of an upright RGB thumbnail."""
    grey = thumbnail.convert("L")
    levels = grey.histogram()
    clipped = (sum(levels[: _BLACK + 1]) + sum(levels[_BURNT:])) / max(1, sum(levels))
    return Look(perceptual_hash(grey), round(sharpness(grey), 2), round(clipped, 4))


def perceptual_hash(grey: Image.Image) -> str:
    """64 bits in hex that similar pictures share; "" for a picture that shows nothing."""
    size = (_SIDE, _SIDE)  # the whole picture, whatever its shape
    small = np.asarray(grey.resize(size, Image.Resampling.LANCZOS, reducing_gap=3), np.float32)
    if small.std() < _FLAT_DEVIATION:
        return ""
    waves = _waves()
    spectrum = waves @ small @ waves.T
    down, across = _lowest()
    return np.packbits(spectrum[down, across] > 0).tobytes().hex()


def sharpness(grey: Image.Image) -> float:
    """Variance of the Laplacian, the long side made 512 pixels first.

    So photos of different resolution compare, and a small one counts as the soft one it is.
    """
    scale = _SHARP_LONG_SIDE / max(grey.size)
    if scale != 1:
        size = (max(3, round(grey.width * scale)), max(3, round(grey.height * scale)))
        grey = grey.resize(size, Image.Resampling.BILINEAR)
    if min(grey.size) < 3:
        return 0.0
    pixels = np.asarray(grey, np.int16)
    laplacian = 4 * pixels[1:-1, 1:-1]
    laplacian -= pixels[:-2, 1:-1]
    laplacian -= pixels[2:, 1:-1]
    laplacian -= pixels[1:-1, :-2]
    laplacian -= pixels[1:-1, 2:]
    values = laplacian.astype(np.float32).ravel()
    return float(values @ values / values.size - values.mean() ** 2)


@cache
def _waves() -> Float32Array:
    """The first cosines of the DCT-II over one side, (11, 32)."""
    across = np.arange(_SIDE)[None, :]
    order = np.arange(11)[:, None]
    return np.cos(np.pi * (2 * across + 1) * order / (2 * _SIDE)).astype(np.float32)


@cache
def _lowest() -> tuple[Int64Array, Int64Array]:
    """Rows and columns of the 64 lowest frequencies after the mean, in zigzag."""
    every = [(down, across) for down in range(11) for across in range(11)]
    ordered = sorted(every, key=lambda at: (at[0] + at[1], at[0]))[1 : HASH_BITS + 1]
    return np.array([d for d, _ in ordered]), np.array([a for _, a in ordered])
