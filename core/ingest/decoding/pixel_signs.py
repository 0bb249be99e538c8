"""Signs in the pixels of what kind a picture is: plain areas, paper with text, captions.

All are measured on a copy with a long side of at most 256 pixels, so that they mean the same for
a photo of any resolution. Nothing is read: text is what it looks like, strokes on something pale.
"""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from core.domain.arrays import BoolArray, Float32Array, PixelArray
from core.ingest.likeness.paper import paper_shares

_LONG_SIDE = 256
_LEAST_SIDE = 48
_WHITE, _BLACK = 235, 18
_FULL_ROW = 0.97
_BORDER = 0.015
_LETTER, _OUTLINE = 225, 60
_REACH_PX = 2
_QUARTER = 0.25
_OUTLINED_ROW = 0.08
_MIDDLE_QUIET = 0.01


@dataclass(frozen=True, slots=True)
class PixelSigns:
    """What the rules of kinds ask of the pixels; shares from 0 to 1.

    `plain`: pixels of one brightness, the commonest. `text`: the part of the picture that is rows
    of strokes on paper, `paper`: that and blank paper beside it. `bar`: the height of a white or
    black bar with strokes in it, above or below the rest. `outlined`: rows of its top or bottom
    quarter that are crossed by white letters with dark outlines. `bordered`: a white border runs
    all round something else.
    """

    plain: float = 0.0
    text: float = 0.0
    paper: float = 0.0
    bar: float = 0.0
    outlined: float = 0.0
    bordered: bool = False


NO_SIGNS = PixelSigns()


def pixel_signs(thumbnail: Image.Image) -> PixelSigns:
    """The signs in an upright RGB thumbnail; none in one too small to show any."""
    small = _small(thumbnail)
    if min(small.size) < _LEAST_SIDE:
        return NO_SIGNS
    grey = np.asarray(small.convert("L"), np.uint8)
    red, green, blue = (np.asarray(band, np.uint8) for band in small.split())
    low = np.minimum(np.minimum(red, green), blue)
    high = np.maximum(np.maximum(red, green), blue)
    text, paper = paper_shares(grey, high - low)
    return PixelSigns(
        plain=_plain(grey),
        text=text,
        paper=paper,
        bar=_bar(low, high),
        outlined=_outlined(low, high),
        bordered=_bordered(low),
    )


def _small(thumbnail: Image.Image) -> Image.Image:
    longest = max(thumbnail.size)
    if longest <= _LONG_SIDE:
        return thumbnail
    if longest % _LONG_SIDE == 0:
        return thumbnail.reduce(longest // _LONG_SIDE)
    scale = _LONG_SIDE / longest
    size = (max(1, round(thumbnail.width * scale)), max(1, round(thumbnail.height * scale)))
    return thumbnail.resize(size, Image.Resampling.BOX)


def _plain(grey: PixelArray) -> float:
    levels = np.bincount(grey.ravel(), minlength=256)
    return float(np.convolve(levels, (1, 1, 1), "same").max()) / grey.size


def _bar(low: PixelArray, high: PixelArray) -> float:
    """Height of the taller caption bar; 0 where none is."""
    heights = [0.0]
    for step in (1, -1):
        for plane, is_bar in ((low, _is_white), (high, _is_black)):
            rows = plane[::step]
            if is_bar(rows[0]).mean() >= _FULL_ROW:  # hardly any photo: the rest costs more
                heights.append(_bar_above(is_bar(rows)))
    return max(heights)


def _is_white(low: PixelArray) -> BoolArray:
    return np.asarray(low >= _WHITE)


def _is_black(high: PixelArray) -> BoolArray:
    return np.asarray(high <= _BLACK)


def _bar_above(bar: BoolArray) -> float:
    """The part of the height that a bar takes from the first row on.

    It ends with a row that is all of its colour, and so do all its rows at both sides; some of
    it is strokes; the rows that follow are something else.
    """
    height, width = bar.shape
    share = np.asarray(bar.mean(axis=1))
    side = max(1, width // 50)
    sides = np.asarray(bar[:, :side].all(axis=1) & bar[:, -side:].all(axis=1))
    if not sides[0] or sides.all():
        return 0.0
    end = int(np.flatnonzero(share[: int(np.argmin(sides))] >= _FULL_ROW)[-1]) + 1
    below = share[end + 1 : end + 3]
    strokes = 1.0 - float(share[:end].mean())
    is_caption = (
        0.06 < end / height < 0.5
        and 0.03 < strokes < 0.45
        and len(below) > 0
        and below.max() < 0.6
        and share[end:].mean() < 0.4
    )
    return end / height if is_caption else 0.0


def _outlined(low: PixelArray, high: PixelArray) -> float:
    """How much of the top or bottom quarter's height such letters take; 0 if they are all over."""
    height = len(low)
    quarter = int(_QUARTER * height)
    ends = (np.s_[:quarter], np.s_[-quarter:])
    taken = max(float((_letters(low[end], high[end]) > _OUTLINED_ROW).mean()) for end in ends)
    middle = np.s_[int(0.35 * height) : int(0.65 * height)]
    if not taken or _letters(low[middle], high[middle]).mean() > _MIDDLE_QUIET:
        return 0.0
    return taken


def _letters(low: PixelArray, high: PixelArray) -> Float32Array:
    """The share of each row that is white with something dark beside it."""
    white = low >= _LETTER
    if white.mean() < _MIDDLE_QUIET:
        return np.zeros(len(low), np.float32)
    return np.asarray((white & _widened(high <= _OUTLINE)).mean(axis=1), np.float32)


def _bordered(low: PixelArray) -> bool:
    """Whether nearly all pixels along the four sides are white, and few of the others."""
    width = max(2, round(_BORDER * max(low.shape)))
    white = low >= _WHITE
    sides = (white[:width], white[-width:], white[:, :width], white[:, -width:])
    inside = white[2 * width : -2 * width, 2 * width : -2 * width]
    all_round = all(bool(side.mean() >= _FULL_ROW) for side in sides)
    return all_round and inside.size > 0 and bool(inside.mean() < 0.5)


def _widened(marked: BoolArray) -> BoolArray:
    """What is marked, and what is near it along its row or its column."""
    wide = marked.copy()
    for step in range(1, _REACH_PX + 1):
        wide[step:] |= marked[:-step]
        wide[:-step] |= marked[step:]
        wide[:, step:] |= marked[:, :-step]
        wide[:, :-step] |= marked[:, step:]
    return wide
