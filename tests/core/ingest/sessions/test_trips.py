"""Home and trips."""

from datetime import datetime, timedelta

from core.domain.decision import HomeSet
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import ContentHash, PhotoId
from core.domain.place import GeoPoint
from core.domain.session import SessionSpan, SplitRule, TimedSession, TripSpan
from core.ingest.sessions.home import Homes, find_homes, visits_of
from core.ingest.sessions.sessionize import sessionize
from core.ingest.sessions.trips import find_trips
from core.settings import SessionSettings
from core.store.photos import TimelineEntry

RULES = SessionSettings()
VIENNA, LISBON, SINTRA = GeoPoint(48.2, 16.37), GeoPoint(38.72, -9.14), GeoPoint(38.8, -9.38)
SYDNEY = GeoPoint(-33.87, 151.2)
NOON = datetime(2024, 1, 1, 12)


def entry(day: float, point: GeoPoint | None, who: str = "Ada") -> TimelineEntry:
    local = NOON + timedelta(days=day)
    taken = CaptureTime(local, None, ClockSource.ORIGINAL, Precision.SECOND)
    key = (local - datetime(1970, 1, 1)).total_seconds()
    number = round(day * 100) * 10 + len(who)
    place = f"{point.latitude}" if point else ""
    return TimelineEntry(
        PhotoId(number), ContentHash(f"{number:064x}"), taken, key, point, who, place
    )


def trips(entries: list[TimelineEntry], homes: Homes | None = None) -> list[TripSpan]:
    homes = Homes.of(find_homes(visits_of(entries))) if homes is None else homes
    spans = [span(timed) for timed in sessionize(entries, RULES) if not timed.is_weak]
    return find_trips(spans, homes, RULES)


def span(timed: TimedSession) -> SessionSpan:
    session = timed.session
    return SessionSpan(
        session.id,
        session.contributor,
        timed.start,
        timed.end,
        session.start.local,
        session.center,
        session.place,
        len(session.photo_ids),
    )


def photos(trip: TripSpan, entries: list[TimelineEntry]) -> list[int]:
    """The photos of a trip, by their times."""
    return [
        entry.photo_id
        for entry in entries
        if any(s.start <= (entry.order_key or 0) <= s.end for s in trip.sessions)
    ]


def at_home(start: int, stop: int) -> list[TimelineEntry]:
    return [entry(day, VIENNA) for day in range(start, stop, 2)]


def test_nights_do_not_end_a_trip_and_unplaced_sessions_within_it_belong() -> None:
    away = [entry(40, LISBON), entry(41, None), entry(42, SINTRA), entry(43, LISBON)]
    (trip,) = trips(at_home(0, 39) + away + at_home(50, 80))
    assert photos(trip, away) == [photo.photo_id for photo in away]
    assert len(trip.sessions) == 4
    assert trip.place.startswith(f"{LISBON.latitude}")


def test_an_unplaced_session_at_the_end_does_not_belong() -> None:
    entries = [*at_home(0, 39), entry(40, LISBON), entry(41, None), *at_home(50, 80)]
    (trip,) = trips(entries)
    assert len(trip.sessions) == 1


def test_a_long_pause_or_a_day_at_home_ends_a_trip() -> None:
    long_pause = [entry(40, LISBON), entry(41.6, LISBON)]
    assert len(trips(at_home(0, 39) + long_pause)) == 2
    day_at_home = [entry(40, LISBON), entry(40.6, VIENNA), entry(41.2, LISBON)]
    assert len(trips(at_home(0, 39) + day_at_home)) == 2


def test_someone_else_at_home_does_not_end_a_trip() -> None:
    away = [entry(40, LISBON), entry(40.6, VIENNA, "Beatrix"), entry(41.2, LISBON)]
    assert len(trips(at_home(0, 39) + away)) == 1


def test_people_move() -> None:
    moved = [entry(day, SYDNEY) for day in range(400, 500, 2)]
    homes = Homes.of(find_homes(visits_of(at_home(0, 100) + moved)))
    first, later = homes.at(NOON), homes.at(NOON + timedelta(days=450))
    assert first is not None and round(first.latitude) == 48
    assert later is not None and round(later.latitude) == -34
    assert trips(at_home(0, 100) + moved) == []


def test_a_holiday_alone_is_no_home() -> None:
    holiday = [entry(day, LISBON) for day in range(10)] + [
        entry(day, SYDNEY) for day in (11, 12, 13, 14, 15, 16)
    ]
    assert find_homes(visits_of(holiday)) == {}


def test_without_a_home_who_moves_about_is_travelling() -> None:
    assert len(trips([entry(0, VIENNA), entry(1, LISBON)])) == 1
    assert trips([entry(0, LISBON), entry(1, SINTRA)]) == []
    assert trips([entry(0, VIENNA), entry(1, LISBON, "Beatrix")]) == []


def test_the_users_word_is_home() -> None:
    entries = [entry(0, LISBON), entry(1, LISBON)]
    assert len(trips(entries, Homes.of({}, [HomeSet(VIENNA)]))) == 1
    assert trips(entries, Homes.of({}, [HomeSet(VIENNA), HomeSet(LISBON)])) == []


def test_a_trip_says_what_began_it() -> None:
    (trip,) = trips([*at_home(0, 39), entry(39, LISBON)])
    assert trip.split.rule is SplitRule.JUMP
    assert 2000 < trip.split.amount < 2500
