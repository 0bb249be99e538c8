"""Draws reliability diagrams: what share of photos shows a thing, among those told so surely."""

import io
from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

from core.benchmark.honesty import calibration_error, reliability
from core.domain.arrays import BoolArray, Float32Array

_SIDE, _MARGIN, _ACROSS = 220, 48, 4
_INK, _PALE, _LINE, _FILL = "#202020", "#c8c8c8", "#1f5fa8", "#9ec3e6"

Labelled = tuple[Float32Array, BoolArray]


def reliability_picture(groups: Mapping[str, Labelled]) -> bytes:
    """A PNG with one diagram a group of probabilities (k,) and labels (k,), ten bins each.

    Bars stand for the share that is there, the dots for their mean probability; an honest model's
    dots lie on the diagonal. The number under a bar says how many pairs it stands for.
    """
    cell = _SIDE + 2 * _MARGIN
    rows = -(-len(groups) // _ACROSS)
    sheet = Image.new("RGB", (cell * min(_ACROSS, len(groups)), cell * rows), "white")
    draw = ImageDraw.Draw(sheet)
    for at, (name, labelled) in enumerate(groups.items()):
        left = at % _ACROSS * cell + _MARGIN
        _diagram(draw, (left, at // _ACROSS * cell + _MARGIN), name, labelled)
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _diagram(
    draw: ImageDraw.ImageDraw, corner: tuple[int, int], name: str, labelled: Labelled
) -> None:
    x, y = corner
    small, large = ImageFont.load_default(9), ImageFont.load_default(14)
    error = calibration_error(*labelled)
    draw.text((x, y - 26), f"{name}: ECE {error:.4f}", _INK, large)
    step = _SIDE / 10
    for mean, share, count in reliability(*labelled):
        k = min(int(mean * 10), 9)
        left, top = x + k * step + 2, y + _SIDE * (1 - share)
        draw.rectangle((left, top, left + step - 4, y + _SIDE), fill=_FILL)
        dot_x, dot_y = x + mean * _SIDE, top
        draw.ellipse((dot_x - 3, dot_y - 3, dot_x + 3, dot_y + 3), fill=_LINE)
        draw.text((left - 1, y + _SIDE + 3), _short(count), _INK, small)
    draw.rectangle((x, y, x + _SIDE, y + _SIDE), outline=_INK)
    draw.line((x, y + _SIDE, x + _SIDE, y), fill=_PALE)
    draw.text((x, y + _SIDE + 16), "probability told (bars: share that is there)", _INK, small)


def _short(count: int) -> str:
    return str(count) if count < 1000 else f"{count / 1000:.0f}k"
