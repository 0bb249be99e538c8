"""How much of a picture is paper with text on it, told tile by tile.

In a tile of text the paper is pale, of little colour and even: its brightest tenths are alike,
which they are in hardly any texture that a photo shows. Dark strokes take some of it, in steps
along both directions, here more, there less. Around it lie other tiles of the same paper.
"""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float32Array, PixelArray

_TILE = 16
_PALEST, _MOST_TINT = 90, 0.3
_EVEN = 0.06
_DEEP = 0.7
_INK, _INK_FROM, _INK_TO = 0.8, 0.04, 0.5
_STEP, _STEPS = 0.1, 0.1
_BLANK_DEVIATION = 0.06
_NEIGHBOURS, _LIKE_GROUND, _LIKE_TINT = 3, 0.12, 0.04
_ONE_PAPER = 0.02
_ONE_WAY, _REGULAR = 2.0, 0.13


@dataclass(frozen=True, slots=True)
class _Tiles:
    """The tiles of a picture, (rows, columns): brightness and tint of the ground, the ink.

    `across` and `down` are the shares of steps along both directions, 0 where no text may be.
    """

    ground: Float32Array
    tint: Float32Array
    ink: Float32Array
    across: Float32Array
    down: Float32Array
    text: BoolArray
    blank: BoolArray


def paper_shares(grey: PixelArray, chroma: PixelArray) -> tuple[float, float]:
    """The shares of tiles of text, and of text and blank paper; (0, 0) where no text is.

    `chroma` is the difference of each pixel's highest and lowest channel. All text lies on one
    paper; stripes are no text.
    """
    tiles = _tiles(grey, chroma)
    if not tiles.text.any():
        return 0.0, 0.0
    beside = _like_neighbours(tiles)
    text, blank = tiles.text & beside, tiles.blank & beside
    if not text.any():
        return 0.0, 0.0
    if tiles.tint[text].std() > _ONE_PAPER or _is_striped(tiles, text):
        return 0.0, 0.0
    return float(text.mean()), float((text | blank).mean())


def _tiles(grey: PixelArray, chroma: PixelArray) -> _Tiles:
    squares = _cut(grey)
    flat = squares.reshape(*squares.shape[:2], -1)
    dark, lit, low, ground, high = _levels(flat)
    on_paper = flat >= lit[:, :, None]
    tinted = (_cut(chroma).reshape(flat.shape) * on_paper).sum(axis=2)
    tint = tinted / np.maximum(on_paper.sum(axis=2), 1) / ground
    pale = (ground >= _PALEST) & (tint <= _MOST_TINT)
    ink = (flat < (_INK * ground)[:, :, None]).mean(axis=2)
    text = pale & (high - low <= _EVEN * ground) & (dark <= _DEEP * ground)
    text &= (ink >= _INK_FROM) & (ink <= _INK_TO)
    across, down = np.zeros_like(ground), np.zeros_like(ground)
    across[text], down[text] = _steps(squares[text], ground[text])
    text &= (across >= _STEPS) & (down >= _STEPS)
    blank = pale & ~text
    blank[blank] = flat[blank].std(axis=1) <= _BLANK_DEVIATION * ground[blank]
    return _Tiles(ground, tint, ink, across, down, text, blank)


def _levels(flat: PixelArray) -> Float32Array:
    """Brightness below which 5, 60, 70, 85 and 95 % of each tile lie; (5, rows, columns)."""
    places = [int(share * (_TILE * _TILE - 1)) for share in (0.05, 0.6, 0.7, 0.85, 0.95)]
    levels = np.partition(flat, places, axis=2)[:, :, places]
    return np.maximum(np.moveaxis(levels, 2, 0), 1).astype(np.float32)


def _cut(plane: PixelArray) -> PixelArray:
    """A plane as (rows, columns, 16, 16); what is left over at the edges is left out."""
    down, across = (side // _TILE for side in plane.shape)
    whole = plane[: down * _TILE, : across * _TILE]
    return whole.reshape(down, _TILE, across, _TILE).swapaxes(1, 2)


def _steps(squares: PixelArray, ground: Float32Array) -> tuple[Float32Array, Float32Array]:
    """What share of pixels of tiles (n, 16, 16) are a step from the next, across and down."""
    least = _STEP * ground[:, None, None]
    signed = squares.astype(np.int16)
    across = (np.abs(np.diff(signed, axis=2)) > least).mean(axis=(1, 2))
    down = (np.abs(np.diff(signed, axis=1)) > least).mean(axis=(1, 2))
    return across.astype(np.float32), down.astype(np.float32)


def _is_striped(tiles: _Tiles, text: BoolArray) -> bool:
    """Whether the strokes are stripes: alike in all tiles, and along one direction."""
    ink, across, down = tiles.ink[text], tiles.across[text].mean(), tiles.down[text].mean()
    one_way = max(across, down) > _ONE_WAY * min(across, down)
    return bool(one_way and ink.std() < _REGULAR * ink.mean())


def _like_neighbours(tiles: _Tiles) -> BoolArray:
    """Which tiles have three neighbours or more that are the same paper, as bright as they."""
    down, across = tiles.ground.shape
    paper = np.pad(tiles.text | tiles.blank, 1)
    ground, tint = np.pad(tiles.ground, 1), np.pad(tiles.tint, 1)
    count = np.zeros((down, across), np.int64)
    for top in range(3):
        for left in range(3):
            if top == left == 1:
                continue
            there = np.s_[top : top + down, left : left + across]
            as_bright = np.abs(ground[there] - tiles.ground) <= _LIKE_GROUND * tiles.ground
            count += paper[there] & as_bright & (np.abs(tint[there] - tiles.tint) <= _LIKE_TINT)
    return count >= _NEIGHBOURS
