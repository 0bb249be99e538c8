"""Reads a GPX file: untrusted, so limited in size, and without entities or declarations."""

import math
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import gpxpy
from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from core.domain.place import GeoPoint
from core.domain.track import Track, TrackPoint
from core.errors import InputError
from core.ingest.decisions.check_decision import is_point

MAX_BYTES = 32_000_000
_ADVICE = "Give a GPX file, as GPS receivers and phones save them."
_FAULTS = (gpxpy.gpx.GPXException, ValueError, TypeError, OverflowError)


def read_track(path: Path) -> Track:
    """The track in a GPX file; raises InputError that says what is wrong with it."""
    gpx = _parse(_text(path), path)
    segments = (tuple(_points(s)) for track in gpx.tracks for s in track.segments)
    timed = tuple(tuple(sorted(s, key=lambda p: p.at)) for s in segments if s)
    if not timed:
        raise InputError(f"{path.name} has no track with times.", "Save the track with its times.")
    return Track(path.name, timed)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(
                f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB.", "Split the track."
            )
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not text in UTF-8.", _ADVICE) from error


def _parse(text: str, path: Path) -> gpxpy.gpx.GPX:
    try:
        root = ElementTree.fromstring(text, forbid_dtd=True)
        if root.tag.rsplit("}", 1)[-1] != "gpx":
            raise InputError(f"{path.name} is XML, but no GPX.", _ADVICE)
        del root
        return gpxpy.parse(text)
    except (ElementTree.ParseError, DefusedXmlException) as error:
        raise InputError(f"{path.name} is not a GPX file.", _ADVICE) from error
    except RecursionError as error:
        raise InputError(f"{path.name} is nested too deeply.", _ADVICE) from error
    except _FAULTS as error:
        raise InputError(f"{path.name} is damaged: {str(error)[:80]}.", _ADVICE) from error


def _points(segment: gpxpy.gpx.GPXTrackSegment) -> Iterator[TrackPoint]:
    """Points with a time and a position on the globe."""
    for one in segment.points:
        high = one.elevation
        altitude = high if high is not None and math.isfinite(high) else None
        point = GeoPoint(one.latitude, one.longitude, altitude)
        if one.time is not None and is_point(point):
            at = one.time if one.time.tzinfo else one.time.replace(tzinfo=UTC)
            yield TrackPoint(at.astimezone(UTC), point)
