"""What the tags of a film's container say: time, place, camera, title."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from core.domain.moment import CaptureTime, ClockSource
from core.domain.photo import Camera, FileStamp, PointSource
from core.domain.place import GeoPoint
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.clock import best_time, file_time
from core.ingest.metadata.clock_text import name_date, parse_time
from core.ingest.metadata.gps import GpsTags, read_point
from core.ingest.metadata.text import clean_text

_APPLE = "com.apple.quicktime."
_TIMES = (f"{_APPLE}creationdate", "creation_time", "date_recorded", "date")
"""Best first: Apple's has an offset of its own, the second is UTC where it says so."""

_PLACES = (f"{_APPLE}location.iso6709", "location", "location-eng", "\xa9xyz")
_MAKES = (f"{_APPLE}make", "make", "com.android.manufacturer", "manufacturer")
_MODELS = (f"{_APPLE}model", "model", "com.android.model")
_TITLES = (f"{_APPLE}title", "title")
_MAX_NAME = 80
_BARE_OFFSET = re.compile(r"([+\-]\d{2})(\d{2})$")
_ISO_6709 = re.compile(
    r"^\s*([+\-])(\d{2,6}(?:\.\d{1,12})?)([+\-])(\d{3,7}(?:\.\d{1,12})?)"
    r"(?:([+\-]\d{1,6}(?:\.\d{1,12})?))?"
)


def film_metadata(tags: Mapping[str, str], stamp: FileStamp) -> Metadata:
    """Everything that container tags say, cleaned; file name and time where they tell no date."""
    told = {str(name).lower(): str(value) for name, value in tags.items()}
    point, problem = _point(_first(told, _PLACES))
    camera = Camera(*(clean_text(_first(told, n), _MAX_NAME) for n in (_MAKES, _MODELS)))
    return Metadata(
        taken=_taken(told, stamp),
        point=point,
        point_source=None if point is None else PointSource.VIDEO,
        gps_problem=problem,
        camera=camera,
        title=clean_text(_first(told, _TITLES)),
        from_camera=bool(camera.text or point),
    )


def _first(tags: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((tags[name] for name in names if tags.get(name, "").strip()), "")


def _taken(tags: Mapping[str, str], stamp: FileStamp) -> CaptureTime | None:
    times = [_time(tags.get(name, "")) for name in _TIMES]
    times += [name_date(stamp.path.name), file_time(stamp.modified_ns)]
    return best_time((time for time in times if time is not None), datetime.now(UTC))


def _time(text: str) -> CaptureTime | None:
    """A time as containers write it; offsets also without a colon."""
    return parse_time(_BARE_OFFSET.sub(r"\1:\2", text.strip()), "", "", ClockSource.VIDEO)


def _point(text: str) -> tuple[GeoPoint | None, str]:
    """A position in ISO 6709, checked as EXIF's is, or the reason why there is none."""
    if not text:
        return None, ""
    found = _ISO_6709.match(text)
    if found is None:
        return None, "not a position"
    return read_point(
        GpsTags(
            latitude=_parts(found[2], 2),
            latitude_ref="N" if found[1] == "+" else "S",
            longitude=_parts(found[4], 3),
            longitude_ref="E" if found[3] == "+" else "W",
            altitude=abs(float(found[5])) if found[5] else None,
            altitude_ref=1 if found[5] and found[5].startswith("-") else 0,
        )
    )


def _parts(digits: str, degrees: int) -> tuple[float, ...]:
    """Degrees, minutes and seconds of DDD.d, DDDMM.m or DDDMMSS.s."""
    whole, _, fraction = digits.partition(".")
    parts = [whole[:degrees], *re.findall("..", whole[degrees:])]
    return (*map(float, parts[:-1]), float(f"{parts[-1]}.{fraction or 0}"))
