"""A position from GPS tags, or the reason why there is none."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.place import GeoPoint

Number = float | None
"""A value of a tag; None where its denominator is zero or it is no number at all."""

_TEXT = re.compile(
    r"\s*(?P<sign>[+-]?)(?P<parts>\d{1,4}(?:\.\d{0,20})?(?:,\d{1,3}(?:\.\d{0,20})?){0,2})"
    r"\s*(?P<ref>[NSEWnsew]?)\s*$"
)
_RATIO = re.compile(r"\s*([+-]?\d{1,12}(?:\.\d{0,20})?)(?:/(\d{1,12}))?\s*$")


@dataclass(frozen=True, slots=True)
class GpsTags:
    """GPS tags as plain values: degrees, minutes, seconds; N/S, E/W; metres; A or V.

    `date` is GPSDateStamp; `time` hours, minutes and seconds in UTC.
    """

    latitude: Sequence[Number] = ()
    latitude_ref: str = ""
    longitude: Sequence[Number] = ()
    longitude_ref: str = ""
    altitude: Number = None
    altitude_ref: int = 0
    status: str = ""
    date: str = ""
    time: Sequence[Number] = ()


NO_GPS = GpsTags()


def read_point(tags: GpsTags) -> tuple[GeoPoint | None, str]:
    """The position and "", or None and the reason ("" where there are no tags at all)."""
    if not tags.latitude and not tags.longitude:
        return None, ""
    problem = _problem(tags)
    if problem:
        return None, problem
    latitude = _degrees(tags.latitude, tags.latitude_ref)
    longitude = _degrees(tags.longitude, tags.longitude_ref)
    return valid_point(latitude, longitude, _altitude(tags))


def valid_point(
    latitude: float, longitude: float, altitude: float | None
) -> tuple[GeoPoint | None, str]:
    """A position on the globe and "", or None and the reason; what writes "none" as zero twice."""
    if not (math.isfinite(latitude) and math.isfinite(longitude)):
        return None, "not a number"
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None, "out of range"
    if latitude == 0 and longitude == 0:
        return None, "exactly (0, 0)"
    return GeoPoint(latitude, longitude, altitude), ""


def _problem(tags: GpsTags) -> str:
    if tags.status.strip().upper() == "V":
        return "void status"
    if not tags.latitude or not tags.longitude:
        return "incomplete"
    for parts in (tags.latitude, tags.longitude):
        reason = _problem_of_parts(parts)
        if reason:
            return reason
    if _hemisphere(tags.latitude_ref) not in ("N", "S"):
        return "hemisphere unknown"
    if _hemisphere(tags.longitude_ref) not in ("E", "W"):
        return "hemisphere unknown"
    return ""


def _problem_of_parts(parts: Sequence[Number]) -> str:
    if any(part is None for part in parts):
        return "zero denominator"
    values = [part for part in parts if part is not None]
    if not all(map(math.isfinite, values)):
        return "not a number"
    if len(values) > 3 or any(value < 0 for value in values):
        return "out of range"
    return "out of range" if any(value > 60 for value in values[1:]) else ""


def _hemisphere(ref: str) -> str:
    return ref.strip("\0 ").upper()[:1]


def _degrees(parts: Sequence[Number], ref: str) -> float:
    size = sum((part or 0.0) / scale for part, scale in zip(parts, (1, 60, 3600), strict=False))
    return -size if _hemisphere(ref) in ("S", "W") and size else size


def _altitude(tags: GpsTags) -> float | None:
    """Metres above sea; references 1 and 3 are below it."""
    if tags.altitude is None or not math.isfinite(tags.altitude):
        return None
    below = tags.altitude_ref in (1, 3)
    return -abs(tags.altitude) if below else tags.altitude


def gps_of_texts(
    latitude: str,
    longitude: str,
    altitude: str,
    altitude_ref: str,
    status: str,
    refs: tuple[str, str],
) -> GpsTags:
    """The tags that XMP writes as text: "43,28.2N", "43,28,12N", or signed decimal degrees.

    `refs` are the hemispheres of those that write them apart.
    """
    north, north_ref = _written(latitude, refs[0], "NS")
    east, east_ref = _written(longitude, refs[1], "EW")
    return GpsTags(
        latitude=north,
        latitude_ref=north_ref,
        longitude=east,
        longitude_ref=east_ref,
        altitude=_ratio(altitude),
        altitude_ref=1 if altitude_ref.strip() in ("1", "3") else 0,
        status=status,
    )


def _written(text: str, ref: str, ends: str) -> tuple[Sequence[Number], str]:
    """The parts and the hemisphere; what cannot be read is one part that is no number."""
    if not text.strip():
        return (), ""
    found = _TEXT.match(text)
    if found is None:
        return (math.nan,), ends[0]
    parts = tuple(float(part) for part in found["parts"].split(","))
    ref = found["ref"] or _hemisphere(ref)
    if found["sign"] == "-":
        return parts, ends[1]
    return parts, ref or ends[0]


def _ratio(text: str) -> Number:
    found = _RATIO.match(text)
    if found is None:
        return None
    below = float(found[2] or 1)
    return float(found[1]) / below if below else None
