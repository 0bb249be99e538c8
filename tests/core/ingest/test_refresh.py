"""What is made again bit by bit is what is made at once."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.decision import HomeSet, SessionsJoined, SessionStart
from core.domain.moment import ClockSource
from core.domain.place import GeoPoint
from core.ingest.refresh import decision_changes_sessions
from core.paths import LibraryPaths
from core.settings import SessionSettings
from core.store.library import Library, open_library
from tests.core.ingest.life import Life, Shot, check

VIENNA, GRAZ, LISBON = GeoPoint(48.2, 16.4), GeoPoint(47.1, 15.4), GeoPoint(38.7, -9.1)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library = open_library(LibraryPaths(tmp_path_factory.mktemp("shelf")))
    yield library
    library.close()


def emptied(library: Library) -> Library:
    """The same library without photos; quicker than a new one for each example."""
    with library.database.write() as connection:
        for table in (
            "trip_sessions", "trips", "session_photos", "sessions", "files", "tags", "photos",
            "visits", "homes", "stale", "facts", "decisions",
        ):  # fmt: skip
            connection.exec_driver_sql(f"DELETE FROM {table}")
    return library


HOURS = st.one_of(
    st.integers(0, 400).map(lambda n: n / 4),  # four days, dense
    st.integers(0, 60).map(lambda n: n * 24.0),  # two months, a photo a day
)
POINTS = st.sampled_from([None, VIENNA, VIENNA, GRAZ, LISBON, GeoPoint(48.3, 16.5)])
SHOTS = st.builds(
    Shot,
    number=st.integers(1, 14),
    hours=HOURS,
    point=POINTS,
    who=st.sampled_from(["Ada", "Bea", "Cy / folder"]),
    offset_h=st.sampled_from([None, None, 0, 2, -8]),
    source=st.sampled_from([ClockSource.ORIGINAL] * 5 + [ClockSource.FILE_TIME]),
)
NUMBERS = st.integers(1, 14)
STEPS = st.one_of(
    st.tuples(st.just("put"), st.lists(SHOTS, min_size=1, max_size=6)),
    st.tuples(st.just("put"), st.lists(SHOTS, min_size=1, max_size=6)),
    st.tuples(st.just("drop"), st.lists(NUMBERS, min_size=1, max_size=4)),
    st.tuples(st.just("start"), NUMBERS),
    st.tuples(st.just("join"), st.tuples(NUMBERS, NUMBERS)),
    st.tuples(st.just("home"), st.sampled_from([VIENNA, LISBON])),
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("gap"), st.sampled_from([3.0, 6.0, 30.0])),
)


def step(life: Life, what: str, value: object) -> None:
    library = life.library
    if what == "put":
        for shot in value:  # type: ignore[attr-defined]
            life.put(shot)
    elif what == "drop":
        for number in set(value) & life.shots.keys():  # type: ignore[call-overload]
            life.drop(number)
    elif what == "gap":
        life.settings = SessionSettings(gap_hours=value)  # type: ignore[arg-type]
    elif what == "undo":
        newest = library.decisions.newest()
        if newest is not None:
            library.decisions.remove(newest.id)
            decision_changes_sessions(library, newest.value)
    else:
        decide(life, what, value)


def decide(life: Life, what: str, value: object) -> None:
    """Numbers of shots that never were stand for photos that are gone."""
    if what == "start":
        decision = SessionStart(life.ids.get(value, value))  # type: ignore[arg-type,call-overload]
    elif what == "join":
        one, other = (life.ids.get(number, number) for number in value)  # type: ignore[attr-defined]
        decision = SessionsJoined(one, other)
    else:
        decision = HomeSet(value)  # type: ignore[arg-type]
    life.library.decisions.add(decision)
    decision_changes_sessions(life.library, decision)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=1, max_size=9), st.lists(st.booleans(), min_size=9, max_size=9))
def test_any_changes_one_by_one_end_as_all_at_once(
    shelf: Library, steps: list[tuple[str, object]], refreshed: list[bool]
) -> None:
    life = Life(emptied(shelf))
    for (what, value), now in zip(steps, refreshed, strict=False):
        step(life, what, value)
        if now:
            life.refresh()
            check(life)
    life.refresh()
    check(life)
    assert not life.refresh()
