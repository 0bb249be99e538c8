"""What Google Takeout's JSON beside a photo, and in its album's folder, says of it."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.place import GeoPoint
from core.ingest.metadata.gps import valid_point
from core.ingest.metadata.words import NO_WORDS, Words

_EPOCH = datetime(1970, 1, 1)
_MAX_PEOPLE = 200
_YEAR_FOLDER = re.compile(r"^[^\W\d]+ [^\W\d]+ (?:19|20)\d\d$")
"""Takeout's own folders of a year ("Photos from 2020", in the user's language): no albums."""

FAVOURITE = "favorite"


@dataclass(frozen=True, slots=True)
class TakeoutTags:
    """What one file says; empty where it does not. `taken` is in UTC."""

    taken: CaptureTime | None = None
    point: GeoPoint | None = None
    description: str = ""
    words: Words = NO_WORDS


NOTHING = TakeoutTags()


def read_takeout(raw: bytes) -> TakeoutTags:
    """The tags of a JSON file, NOTHING for what is none of Takeout's; never raises."""
    try:
        told = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return NOTHING
    if not isinstance(told, dict):
        return NOTHING
    if "photoTakenTime" not in told:
        return TakeoutTags(words=Words(albums=tuple(_album(told))))
    points = (_point(told.get(name)) for name in ("geoData", "geoDataExif"))
    return TakeoutTags(
        taken=_taken(told["photoTakenTime"]),
        point=next((point for point in points if point is not None), None),
        description=_text(told.get("description")),
        words=Words(
            persons=tuple(_people(told.get("people"))),
            keywords=(FAVOURITE,) if told.get("favorited") is True else (),
        ),
    )


def _album(told: dict[str, object]) -> Iterator[str]:
    """The album that a folder's file names; older ones keep it a level deeper."""
    inner = told.get("albumData")
    title = _text((inner if isinstance(inner, dict) else told).get("title"))
    if title.strip() and not _YEAR_FOLDER.match(title.strip()):
        yield title


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _people(value: object) -> Iterator[str]:
    for person in value[:_MAX_PEOPLE] if isinstance(value, list) else ():
        if isinstance(person, dict) and _text(person.get("name")):
            yield _text(person.get("name"))


def _taken(value: object) -> CaptureTime | None:
    """Seconds since 1970 UTC, written as text."""
    stamp = value.get("timestamp") if isinstance(value, dict) else None
    text = str(stamp) if isinstance(stamp, (int, str)) and not isinstance(stamp, bool) else ""
    if not re.fullmatch(r"-?[0-9]{1,12}", text):
        return None
    try:
        local = _EPOCH + timedelta(seconds=int(text))
    except OverflowError:
        return None
    return CaptureTime(local, timedelta(0), ClockSource.TAKEOUT, Precision.SECOND)


def _point(value: object) -> GeoPoint | None:
    """A position; all zero is Takeout's word for none, an altitude of zero for not known."""
    if not isinstance(value, dict):
        return None
    latitude, longitude, altitude = (
        _number(value.get(name)) for name in ("latitude", "longitude", "altitude")
    )
    if latitude is None or longitude is None:
        return None
    return valid_point(latitude, longitude, altitude or None)[0]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
