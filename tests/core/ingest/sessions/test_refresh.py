"""What is made again bit by bit is what is made at once."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.decision import HomeSet, SessionsJoined, SessionStart
from core.domain.moment import ClockSource
from core.domain.photo import FileStamp
from core.domain.place import GeoPoint
from core.errors import Cancelled
from core.ingest.sessions.refresh import (
    decision_changes_sessions,
    refresh_sessions,
    sessions_are_fresh,
)
from core.ingest.sessions.sessionize import sessionize
from core.paths import LibraryPaths
from core.progress import Progress, ProgressReport
from core.settings import SessionSettings
from core.store.library import Library, open_library
from tests.core.ingest.sessions.life import FlatZones, Life, Shot, check, made
from tests.core.synthetic import fill_library

RULES = SessionSettings()
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


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(LibraryPaths(tmp_path / "library"))
    yield opened
    opened.close()


def refresh(library: Library, rules: SessionSettings = RULES) -> bool:
    return refresh_sessions(library, rules, FlatZones(), Progress())  # type: ignore[arg-type]


def members(library: Library) -> dict[int, tuple[int, ...]]:
    return {session.id: session.photo_ids for session in library.sessions.sessions()}


def runs(library: Library) -> list[list[int]]:
    """Trips by the numbers of their sessions."""
    return [[session.id for session in trip.sessions] for trip in library.sessions.trips()]


def watch_writes(library: Library) -> None:
    """Let the library itself note which sessions and trips are written."""
    with library.database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE written (what TEXT, id INTEGER)")
        for table in ("sessions", "trips"):
            connection.exec_driver_sql(
                f"CREATE TRIGGER seen_{table} AFTER INSERT ON {table} "
                f"BEGIN INSERT INTO written VALUES ('{table}', new.id); END"
            )


def written(library: Library) -> int:
    with library.database.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM written").scalar_one())


def test_a_library_of_thousands_is_made_as_from_nothing(library: Library) -> None:
    fill_library(library, photos=10_000, seed=3)
    assert refresh(library) and sessions_are_fresh(library, RULES)
    wanted = sessionize(library.photos.timeline(), RULES)
    assert [made(s) for s in library.sessions.sessions()] == [made(t.session) for t in wanted]
    assert 500 < len(wanted) < 3000 and len(library.sessions.trips()) > 3
    assert library.database.check() == []


def test_one_photo_writes_its_own_session_and_keeps_all_numbers(library: Library) -> None:
    fill_library(library, photos=3_000, seed=1)
    refresh(library)
    before = members(library)
    watch_writes(library)
    life = Life(library)
    life.put(Shot(1, -6000 * 24.0 + 5))  # in 2007, where nobody took any
    life.put(Shot(2, -8400 * 24.0, VIENNA, who="Canon EOS 80D 0420017"))  # in the midst
    assert refresh(library)
    after = members(library)
    assert {number: after.get(number) for number in before} == {
        number: tuple(i for i in after[number] if i in ids or i > 3_000)
        for number, ids in before.items()
    }
    assert 2 <= written(library) <= 6
    library.photos.detach([Path("/life/1.jpg"), Path("/life/2.jpg")])
    refresh(library)
    assert members(library) == before


def test_nothing_new_does_nothing(library: Library) -> None:
    fill_library(library, photos=500)
    assert refresh(library)
    watch_writes(library)
    library.photos.attach(library.photos.ids()[0], FileStamp(Path("/a/copy.jpg"), 1, 1))
    assert not refresh(library)
    library.photos.detach([Path("/a/copy.jpg")])
    assert not refresh(library) and written(library) == 0


def test_other_settings_make_all_again_under_the_same_numbers(library: Library) -> None:
    fill_library(library, photos=2_000, seed=2)
    refresh(library)
    before, trips = members(library), runs(library)
    long = SessionSettings(trip_gap_hours=24 * 60)
    assert not sessions_are_fresh(library, long)
    assert refresh(library, long)
    assert members(library) == before
    assert 0 < len(runs(library)) < len(trips)
    assert refresh(library) and runs(library) == trips


def test_a_cancelled_refresh_is_gone_on_with(library: Library) -> None:
    fill_library(library, photos=8_000, seed=5)
    progress = Progress()

    def stop(report: ProgressReport) -> None:
        if report.stage == "sessions" and report.done > 0:
            progress.cancel()

    progress.listener = stop
    with pytest.raises(Cancelled):
        refresh_sessions(library, RULES, FlatZones(), progress)  # type: ignore[arg-type]
    assert library.sessions.counts()[0] > 0
    assert library.database.check() == [] and not sessions_are_fresh(library, RULES)
    assert refresh(library)
    wanted = sessionize(library.photos.timeline(), RULES)
    assert [made(s) for s in library.sessions.sessions()] == [made(t.session) for t in wanted]


def test_a_library_of_the_first_version_keeps_the_numbers_of_its_sessions(tmp_path: Path) -> None:
    paths = LibraryPaths(tmp_path)
    stored = Path(__file__).parents[3] / "data" / "libraries" / "version-1.sqlite.gz"
    paths.database.write_bytes(gzip.decompress(stored.read_bytes()))
    library = open_library(paths)
    before = library.sessions.sessions()
    assert before and refresh(library)
    kept = {session.id for session in library.sessions.sessions()}
    assert kept & {session.id for session in before}
    wanted = sessionize(library.photos.timeline(), RULES)
    assert [made(s) for s in library.sessions.sessions()] == [made(t.session) for t in wanted]
    library.close()
