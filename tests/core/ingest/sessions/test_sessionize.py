"""Sessions against their definition."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise

from geopy.distance import geodesic
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import ContentHash, PhotoId
from core.domain.place import GeoPoint
from core.domain.session import SplitRule
from core.ingest.sessions.sessionize import sessionize
from core.settings import SessionSettings
from core.store.photos import TimelineEntry

START = datetime(2024, 5, 1, 8)
VIENNA, GRAZ = GeoPoint(48.208, 16.372), GeoPoint(47.07, 15.44)
RULES = SessionSettings()


def entry(
    number: int,
    hours: float,
    point: GeoPoint | None = None,
    who: str = "Ada",
    source: ClockSource = ClockSource.ORIGINAL,
) -> TimelineEntry:
    local = START + timedelta(hours=hours)
    taken = CaptureTime(local, None, source, Precision.SECOND)
    key = (local - datetime(1970, 1, 1)).total_seconds()
    return TimelineEntry(
        PhotoId(number), ContentHash(f"{number:064x}"), taken, key, point, who, str(point or "")
    )


def ids(entries: list[TimelineEntry]) -> list[tuple[int, ...]]:
    return [timed.session.photo_ids for timed in sessionize(entries, RULES)]


def test_a_gap_splits_and_says_so() -> None:
    found = sessionize([entry(1, 0), entry(2, 6), entry(3, 12.5)], RULES)
    assert [t.session.photo_ids for t in found] == [(1, 2), (3,)]
    assert found[0].session.split.rule is SplitRule.FIRST
    assert found[1].session.split.rule is SplitRule.GAP
    assert found[1].session.split.amount == 6.5


def test_a_jump_is_measured_from_the_last_photo_with_a_place() -> None:
    entries = [entry(1, 0, VIENNA), entry(2, 1), entry(3, 2, GRAZ), entry(4, 3)]
    found = sessionize(entries, RULES)
    assert [t.session.photo_ids for t in found] == [(1, 2), (3, 4)]
    assert found[1].session.split.rule is SplitRule.JUMP
    assert 140 < found[1].session.split.amount < 150


def test_photos_without_place_never_split_by_distance() -> None:
    assert ids([entry(1, 0, VIENNA), entry(2, 1), entry(3, 2), entry(4, 3, VIENNA)]) == [
        (1, 2, 3, 4)
    ]


def test_two_phones_in_two_cities_do_not_split_each_other() -> None:
    ada = [entry(i, i / 10, VIENNA) for i in range(1, 9)]
    bea = [entry(10 + i, i / 10 + 0.05, GRAZ, "Bea") for i in range(1, 9)]
    assert ids(ada + bea) == [tuple(range(1, 9)), tuple(range(11, 19))]


def test_two_phones_at_one_place_are_one_session() -> None:
    near = GeoPoint(48.25, 16.40)
    entries = [entry(1, 0, VIENNA), entry(2, 1, near, "Bea"), entry(3, 2, VIENNA)]
    assert ids(entries) == [(1, 2, 3)]
    assert sessionize(entries, RULES)[0].session.contributor == "Ada + Bea"


def test_a_camera_without_gps_joins_one_city_and_bridges_none() -> None:
    entries = [
        entry(1, 0, VIENNA),
        entry(2, 1, VIENNA),
        entry(3, 4, GRAZ),
        entry(4, 7, GRAZ),
        entry(5, 0.5, None, "camera"),
        entry(6, 6, None, "camera"),
    ]
    assert ids(entries) == [(1, 2), (5, 3, 6, 4)]


def test_a_late_photo_merges_sessions() -> None:
    entries = [entry(1, 0), entry(2, 10)]
    assert len(ids(entries)) == 2
    assert len(ids([*entries, entry(3, 5)])) == 1


def test_file_times_stay_by_themselves() -> None:
    entries = [entry(1, 0), entry(2, 1, None, "Ada", ClockSource.FILE_TIME)]
    assert ids(entries) == [(1,), (2,)]


HOURS = st.integers(0, 300).map(lambda tenth: tenth / 10)
POINTS = st.one_of(
    st.none(),
    st.tuples(st.integers(-6, 6), st.integers(-6, 6)).map(
        lambda p: GeoPoint(48 + p[0] / 10, 16 + p[1] / 10)
    ),
)
ONE = st.lists(st.tuples(HOURS, POINTS), max_size=14)
MANY = st.lists(st.tuples(HOURS, POINTS, st.sampled_from(["Ada", "Bea", "Cy"])), max_size=16)


def by_definition(entries: list[TimelineEntry]) -> list[tuple[int, ...]]:
    """One contributor's sessions, photo by photo, as the definition says."""
    ordered = sorted(entries, key=lambda e: (e.order_key, e.content_hash))
    sessions: list[list[TimelineEntry]] = []
    for photo in ordered:
        if sessions:
            last = sessions[-1][-1]
            gap = (photo.order_key or 0) - (last.order_key or 0) > RULES.gap_hours * 3600
            placed = [p.point for p in sessions[-1] if p.point]
            jump = bool(placed) and photo.point is not None and far(placed[-1], photo.point)
            if not gap and not jump:
                sessions[-1].append(photo)
                continue
        sessions.append([photo])
    return [tuple(photo.photo_id for photo in session) for session in sessions]


def far(one: GeoPoint, other: GeoPoint) -> bool:
    there = (other.latitude, other.longitude)
    return bool(geodesic((one.latitude, one.longitude), there).km > RULES.jump_km)


@settings(max_examples=150, deadline=None)
@given(ONE)
def test_one_contributor_is_split_as_defined(photos: list[tuple[float, GeoPoint | None]]) -> None:
    entries = [entry(i, hours, point) for i, (hours, point) in enumerate(photos, start=1)]
    assert ids(entries) == by_definition(entries)


@settings(max_examples=150, deadline=None)
@given(MANY, st.randoms(use_true_random=False))
def test_the_order_of_import_does_not_matter(
    photos: list[tuple[float, GeoPoint | None, str]],
    chance: Callable[..., object],
) -> None:
    entries = [entry(i, *photo) for i, photo in enumerate(photos, start=1)]
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sessionize(entries, RULES) == sessionize(shuffled, RULES)


@settings(max_examples=150, deadline=None)
@given(MANY)
def test_sessions_hold_every_photo_once_and_no_long_gap(
    photos: list[tuple[float, GeoPoint | None, str]],
) -> None:
    entries = {i: entry(i, *photo) for i, photo in enumerate(photos, start=1)}
    found = sessionize(entries.values(), RULES)
    assert sorted(i for t in found for i in t.session.photo_ids) == sorted(entries)
    assert [t.session.id for t in found] == list(range(1, len(found) + 1))
    for timed in found:
        keys = [entries[i].order_key or 0.0 for i in timed.session.photo_ids]
        assert all(0 <= b - a <= RULES.gap_hours * 3600 for a, b in pairwise(keys))
        assert (keys[0], keys[-1]) == (timed.start, timed.end)
