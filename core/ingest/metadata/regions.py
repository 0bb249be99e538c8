"""Parts of pictures that programs marked and named: faces, by MWG's and Microsoft's schemas.

Both measure on the picture as it is stored; ours are of the upright one. Where MWG says to what
size its areas apply and that is the upright size, they were measured upright.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.domain.tag import Region
from core.ingest.metadata.rdf import Value, parts_in, text_in

_MAX_REGIONS = 200
_NUMBER = re.compile(r"\s*([+-]?\d{1,9}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,2})?)\s*$")


@dataclass(frozen=True, slots=True)
class Marked:
    """A named part of a picture as stored; `is_person` unless it says that it is another thing.

    `width` and `height` are the size it was measured on, 0 where that is not said.
    """

    name: str
    is_person: bool
    region: Region | None
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Stored:
    """How a picture is stored: its EXIF orientation, width and height (0 where not known)."""

    orientation: int = 1
    width: float = 0.0
    height: float = 0.0


UPRIGHT = Stored()


def marked_parts(properties: Mapping[str, Value]) -> Iterator[Marked]:
    """The named parts that a packet lists, whoever wrote them."""
    yield from _by_mwg(properties.get("mwg-rs:Regions"))
    for part in parts_in(properties.get("MP:RegionInfo"), "MPRI:Regions")[:_MAX_REGIONS]:
        edges = text_in(part.get("MPReg:Rectangle")).split(",")
        numbers = [number_in(edge) for edge in edges]
        region = _region(*numbers) if len(numbers) == 4 else None
        yield Marked(text_in(part.get("MPReg:PersonDisplayName")), True, region)


def _by_mwg(regions: Value | None) -> Iterator[Marked]:
    applied = regions.get("mwg-rs:AppliedToDimensions") if isinstance(regions, dict) else None
    width, height = _sides(applied, "stDim:")
    for part in parts_in(regions, "mwg-rs:RegionList")[:_MAX_REGIONS]:
        kind = text_in(part.get("mwg-rs:Type")).strip().lower()
        if kind not in ("", "face", "pet"):
            continue
        region = _centred(part.get("mwg-rs:Area"), width, height)
        yield Marked(text_in(part.get("mwg-rs:Name")), kind != "pet", region, width, height)


def _sides(value: Value | None, prefix: str) -> tuple[float, float]:
    if not isinstance(value, dict):
        return 0.0, 0.0
    width, height = (number_in(text_in(value.get(prefix + side))) or 0.0 for side in "wh")
    return width, height


def _centred(area: Value | None, width: float, height: float) -> Region | None:
    """A region from its centre and sides, or its centre and diameter; pixels are scaled."""
    if not isinstance(area, dict):
        return None
    across, down = (number_in(text_in(area.get(f"stArea:{axis}"))) for axis in "xy")
    wide, high = _sides(area, "stArea:")
    diameter = number_in(text_in(area.get("stArea:d"))) or 0.0
    wide, high = wide or diameter, high or diameter
    if across is None or down is None:
        return None
    if text_in(area.get("stArea:unit")).lower().startswith("pixel"):
        if width <= 0 or height <= 0:
            return None
        across, down, wide, high = across / width, down / height, wide / width, high / height
    return _region(across - wide / 2, down - high / 2, wide, high)


def number_in(text: str) -> float | None:
    """A decimal number, None for what is none."""
    found = _NUMBER.match(text)
    return float(found[1]) if found and math.isfinite(float(found[1])) else None


def _region(
    left: float | None, top: float | None, width: float | None, height: float | None
) -> Region | None:
    """The part that lies in the picture, None where that is nothing."""
    if left is None or top is None or width is None or height is None:
        return None
    right, bottom = min(1.0, left + width), min(1.0, top + height)
    left, top = max(0.0, left), max(0.0, top)
    if right <= left or bottom <= top:
        return None
    return Region(left, top, right - left, bottom - top)


def upright_region(marked: Marked, stored: Stored) -> Region | None:
    """The region on the upright picture."""
    region = marked.region
    if region is None or _was_upright(marked, stored):
        return region
    return _turned(region, stored.orientation)


def _was_upright(marked: Marked, stored: Stored) -> bool:
    if stored.orientation < 5 or not (marked.width and stored.width):
        return False
    lies, stands = stored.width > stored.height, stored.width < stored.height
    return (lies and marked.width < marked.height) or (stands and marked.width > marked.height)


def _turned(region: Region, orientation: int) -> Region:
    """As the pixels are turned: 2 to 8 are mirrored, turned, or both."""
    left, top, width, height = region.left, region.top, region.width, region.height
    right, bottom = max(0.0, 1 - left - width), max(0.0, 1 - top - height)
    return {
        2: Region(right, top, width, height),
        3: Region(right, bottom, width, height),
        4: Region(left, bottom, width, height),
        5: Region(top, left, height, width),
        6: Region(bottom, left, height, width),
        7: Region(bottom, right, height, width),
        8: Region(top, right, height, width),
    }.get(orientation, region)
