"""Photo, screenshot or graphic, by a few rules that can be explained; in doubt a photo.

1. Whatever a camera speaks of (make, model, exposure, position, original time) is a photo.
2. A name that says "screenshot", or a PNG of a screen's size: a screenshot.
3. Very small pictures, palettes, bilevel and partly transparent pictures, and lossless ones
   with a handful of colours: graphics.
"""

import re
from dataclasses import dataclass

from core.domain.photo import PhotoKind

_SHOT_NAME = re.compile(
    r"screen[ _-]?shot|screen[ _-]?capture|bildschirmfoto|capture d.{1,2}cran|captura de pantalla"
    r"|schermata|istantanea",
    re.IGNORECASE,
)
_SCREEN_SIZES = (
    "640x960 640x1136 720x1280 720x1520 720x1560 720x1600 750x1334 768x1024 768x1366 828x1792"
    " 800x1280 900x1440 900x1600 960x1440 1024x1280 1050x1680 1080x1920 1080x2160 1080x2220"
    " 1080x2280 1080x2310 1080x2340 1080x2400 1080x2408 1125x2436 1170x2532 1179x2556"
    " 1200x1920 1206x2622 1242x2208 1242x2688 1284x2778 1290x2796 1320x2868 1440x2560"
    " 1440x2880 1440x2960 1440x3040 1440x3088 1440x3120 1440x3200 1440x3440 1488x2266"
    " 1536x2048 1600x2560 1600x2880 1620x2160 1640x2360 1664x2560 1668x2224 1668x2388"
    " 1800x2880 1864x2880 1964x3024 2048x2732 2160x3840 2234x3456 2304x4096 2520x4480"
    " 2880x5120"
)
_SCREENS = frozenset(tuple(sorted(map(int, s.split("x")))) for s in _SCREEN_SIZES.split())
_SMALL_PX = 100
_FEW_COLOURS = 24
_LOSSLESS = ("PNG", "GIF", "BMP", "DIB", "TIFF")


@dataclass(frozen=True, slots=True)
class Look:
    """What the rules look at; `colours` is the count in a small copy, None for many.

    `flat_mode` is a palette or bilevel picture; `see_through` has transparent parts.
    """

    name: str
    format: str
    width: int
    height: int
    flat_mode: bool
    see_through: bool
    colours: int | None
    from_camera: bool


def kind_of(look: Look) -> PhotoKind:
    """The kind by the rules of this module, the first that holds."""
    if look.from_camera:
        return PhotoKind.PHOTO
    if _SHOT_NAME.search(look.name):
        return PhotoKind.SCREENSHOT
    sides = tuple(sorted((look.width, look.height)))
    if look.format == "PNG" and sides in _SCREENS:
        return PhotoKind.SCREENSHOT
    few = look.colours is not None and look.colours <= _FEW_COLOURS
    if max(sides) < _SMALL_PX or look.flat_mode or look.see_through:
        return PhotoKind.GRAPHIC
    if few and look.format in _LOSSLESS:
        return PhotoKind.GRAPHIC
    return PhotoKind.PHOTO
