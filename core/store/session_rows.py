"""Session and trip rows to values and back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.session import (
    Session,
    SessionSpan,
    Split,
    SplitRule,
    TimedSession,
    TripSpan,
)
from core.store.plain_rows import PlainRow

_TAKEN = ("local", "offset_s", "source", "precision", "zone", "correction_s")


def _taken_of(photo: str) -> str:
    return ", ".join(f"{photo}.taken_{name}" for name in _TAKEN)


TIMES = f"""SELECT s.id, s.contributor, s.split_rule, s.split_amount, s.latitude, s.longitude,
    s.place, {_taken_of("p")}, {_taken_of("q")}, s.start_key, p.content_hash
    FROM sessions s JOIN photos p ON p.id = s.first_photo JOIN photos q ON q.id = s.last_photo"""
"""A session with the capture times of its first and last photo."""

SPANS = """SELECT s.id, s.contributor, s.start_key, s.end_key, p.taken_local, s.latitude,
    s.longitude, s.place, s.photo_count
    FROM sessions s JOIN photos p ON p.id = s.first_photo WHERE NOT s.weak"""
"""What trips are made of."""


def session_of_row(row: PlainRow, photos: Sequence[PhotoId]) -> Session:
    """A row of TIMES, with its photos, as a session."""
    number, contributor, rule, amount, latitude, longitude, place = row[:7]
    return Session(
        number,
        contributor,
        tuple(photos),
        _taken(*row[7:13]),
        _taken(*row[13:19]),
        Split(SplitRule(rule), amount),
        None if latitude is None else GeoPoint(latitude, longitude),
        place,
    )


def _taken(
    local: str, offset: int | None, source: str, precision: str, zone: str | None, by: float
) -> CaptureTime:
    return CaptureTime(
        datetime.fromisoformat(local),
        None if offset is None else timedelta(seconds=offset),
        ClockSource(source),
        Precision(precision),
        zone,
        timedelta(seconds=by),
    )


def span_of_row(row: PlainRow) -> SessionSpan:
    """A row of SPANS."""
    number, contributor, start, end, local, latitude, longitude, place, photos = row
    center = None if latitude is None else GeoPoint(latitude, longitude)
    time = datetime.fromisoformat(local)
    return SessionSpan(number, contributor, start, end, time, center, place, photos)


def split_of_row(row: Any) -> Split:
    """What began the session or trip of a row."""
    return Split(SplitRule(row.split_rule), row.split_amount)


def values_of_session(timed: TimedSession) -> dict[str, object]:
    """A session as the columns of its row, without a number."""
    session = timed.session
    return {
        "contributor": session.contributor,
        "split_rule": session.split.rule.value,
        "split_amount": session.split.amount,
        "latitude": session.center.latitude if session.center else None,
        "longitude": session.center.longitude if session.center else None,
        "place": session.place,
        "start_key": timed.start,
        "end_key": timed.end,
        "first_photo": session.photo_ids[0],
        "last_photo": session.photo_ids[-1],
        "photo_count": len(session.photo_ids),
        "weak": timed.is_weak,
    }


def values_of_trip(trip: TripSpan) -> dict[str, object]:
    """A trip as the columns of its row, without a number."""
    return {
        "split_rule": trip.split.rule.value,
        "split_amount": trip.split.amount,
        "place": trip.place,
    }
