"""Deciding and undoing over a real database: what is undone leaves no trace."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.fakes import TinyGazetteer
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint
from core.domain.tag import Tag, TagKind, TagSource
from core.errors import InputError
from core.ingest.decisions.corrections import Standing, World, corrected
from core.ingest.decisions.decide import Desk, decide, describe_again, undo
from core.ingest.decisions.reach import box_around, reached
from core.ingest.decisions.standing import keep_recorded, shown_facts
from core.ingest.sessions.refresh import refresh_sessions
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import SessionSettings
from core.store.library import Library, open_library
from core.store.reach import facts_of, points_in, recorded_times
from tests.core.conftest import Picture, fill

AREZZO, MOAB, FIJI = GeoPoint(43.463, 11.88), GeoPoint(38.573, -109.549), GeoPoint(-17.8, 179.99)
DAY = datetime(2021, 7, 3)
PICTURES = (
    Picture("red", DAY.replace(hour=9), AREZZO, "Anna", keywords=("cat",)),
    Picture("blue", DAY.replace(hour=10, microsecond=123_456), None, "Anna"),
    Picture("green", DAY.replace(hour=11), MOAB, "Bruno"),
    Picture("pink", None, FIJI, "Bruno"),
)
IDS = tuple(PhotoId(number) for number in range(1, 5))


class NoZones(ZoneFinder):
    """Knows the zone of no place."""

    def zone(self, point: GeoPoint) -> str | None:
        """None."""
        return None


WORLD = World(TinyGazetteer(), NoZones())


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One library for all examples: each undoes what it did."""
    opened = _desk(tmp_path_factory.mktemp("shared"))
    yield opened
    opened.library.close()


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Desk]:
    opened = _desk(tmp_path)
    yield opened
    opened.library.close()


def _desk(folder: Path) -> Desk:
    library = open_library(LibraryPaths(folder / "library"))
    ids = fill(library, PICTURES, folder)
    made = Desk(library, WORLD, SessionSettings(), 0.3)
    describe_again(made, facts_of(library.database, ids))
    refresh_sessions(library, made.settings, WORLD.zones, Progress())
    return made


def undo_all(desk: Desk) -> None:
    while undo(desk, Progress()) is not None:
        pass


def state(library: Library) -> tuple[object, ...]:
    """All that decisions may change, but for the numbers of sessions."""
    ids = library.photos.ids()
    texts = {i: profile.text for i, profile in library.profiles.profiles(ids).items()}
    sessions = [replace(session, id=0) for session in library.sessions.sessions()]
    return facts_of(library.database, ids), texts, library.decisions.recorded(ids), sessions


ids = st.lists(st.sampled_from(IDS), min_size=1, unique=True).map(tuple)
names = st.sampled_from(["Anna", "Bruno", "Carla"])
points = st.sampled_from([AREZZO, MOAB, FIJI])
tags = st.builds(Tag, st.sampled_from(TagKind), st.tuples(names), st.just(TagSource.HAND))
hours = st.integers(-48, 48).filter(bool)
values = st.one_of(
    st.builds(ContributorSet, ids, names),
    st.builds(
        lambda name, h: ClockShift(name, DAY, DAY + timedelta(days=1), timedelta(hours=h)),
        names,
        hours,
    ),
    st.builds(lambda some, point: Geotag(tuple((i, point) for i in some)), ids, points),
    st.builds(KindSet, ids, st.sampled_from(PhotoKind)),
    st.builds(TitleSet, ids, names),
    st.builds(RatingSet, ids, st.integers(-1, 5)),
    st.builds(TagsSet, ids, st.tuples(tags), st.tuples(tags)),
    st.builds(PlaceNamed, names, points, st.sampled_from([0.1, 30.0, 499.0])),
    st.builds(PlaceForgotten, names),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(values, min_size=1, max_size=4))
def test_what_is_undone_leaves_no_trace(shared: Desk, decisions: list[DecisionValue]) -> None:
    states = [state(shared.library)]
    values = [PlaceNamed("here", MOAB, 1), *decisions]
    states += [state(shared.library) for value in values if decided(shared, value) is not None]
    for before in reversed(states[:-1]):
        undo(shared, Progress())
        assert state(shared.library) == before


@settings(max_examples=25, deadline=None)
@given(st.lists(values, min_size=1, max_size=4))
def test_rows_show_what_follows_from_the_recorded(
    shared: Desk, decisions: list[DecisionValue]
) -> None:
    undo_all(shared)
    before = facts_of(shared.library.database, IDS)
    made = [value for one in decisions if (value := decided(shared, one)) is not None]
    standing = Standing.of(made)
    for photo_id, facts in facts_of(shared.library.database, IDS).items():
        wanted = corrected(photo_id, before[photo_id], standing, WORLD)
        assert _plain(facts) == _plain(wanted)
    undo_all(shared)


def decided(desk: Desk, value: DecisionValue) -> DecisionValue | None:
    """The decision as kept, None where it is refused."""
    try:
        return decide(desk, value, Progress()).value
    except InputError:
        return None


def _plain(facts: PhotoFacts) -> PhotoFacts:
    """Without the order of tags, which a database does not keep, and that of photos."""
    tags = tuple(sorted(facts.tags, key=lambda tag: (tag.kind, tag.levels, tag.source)))
    return replace(facts, tags=tags, order_key=None)


def test_a_file_that_is_read_again_says_new_things_under_the_same_decisions(at: Desk) -> None:
    library = at.library
    decide(at, TitleSet((IDS[0],), "by hand"), Progress())
    says = replace(facts_of(library.database, IDS)[IDS[0]], title="of the file", rating=3)
    (shown,) = shown_facts(library, [says], [IDS[0]], WORLD)
    assert (shown.title, shown.rating) == ("by hand", 3)
    library.photos.set_facts(IDS[0], shown)
    keep_recorded(library, IDS[0], says, shown)
    undo(at, Progress())
    again = facts_of(library.database, IDS)[IDS[0]]
    assert (again.title, again.rating) == ("of the file", 3)
    assert library.decisions.recorded(IDS) == {}


def test_new_photos_are_under_decisions_on_ranges_alone(at: Desk) -> None:
    decide(at, TitleSet(IDS, "by hand"), Progress())
    decide(at, PlaceNamed("the rocks", MOAB, 5), Progress())
    decide(at, ClockShift("Bruno", DAY, DAY.replace(hour=23), timedelta(hours=1)), Progress())
    says = facts_of(at.library.database, IDS)[IDS[2]]
    fresh = replace(says, title="", place=None)
    assert fresh.taken is not None
    fresh = replace(fresh, taken=replace(fresh.taken, local=DAY, correction=timedelta(0)))
    (shown,) = shown_facts(at.library, [fresh], [None], WORLD)
    assert shown.title == ""
    assert shown.place is not None
    assert shown.place.name == "the rocks"
    assert shown.taken is not None
    assert shown.taken.local == DAY + timedelta(hours=1)


def test_an_order_that_neighbours_told_outlives_an_edit(at: Desk) -> None:
    decide(at, TitleSet((IDS[1],), "a"), Progress())
    at.library.photos.set_order_keys({IDS[1]: 12345.0})
    decide(at, TitleSet((IDS[1],), "b"), Progress())
    assert facts_of(at.library.database, IDS)[IDS[1]].order_key == 12345.0


@pytest.mark.parametrize("point", [AREZZO, MOAB, FIJI, GeoPoint(89.9, 5), GeoPoint(-90, 0)])
@pytest.mark.parametrize("radius_km", [0.1, 30.0, 499.0])
def test_a_box_holds_its_circle(point: GeoPoint, radius_km: float) -> None:
    from geopy.distance import geodesic  # noqa: PLC0415

    box = box_around(point, radius_km)
    for bearing in range(0, 360, 15):
        edge = geodesic(kilometers=radius_km * 0.999).destination(
            (point.latitude, point.longitude), bearing
        )
        assert box.south <= edge.latitude <= box.north
        if box.west <= box.east:
            assert box.west <= edge.longitude <= box.east
        else:
            assert edge.longitude >= box.west or edge.longitude <= box.east


def test_places_are_found_across_the_date_line(at: Desk) -> None:
    east = PlaceNamed("x", GeoPoint(-17.8, -179.99), 5)
    assert reached(at.library, east) == [IDS[3]]
    whole = box_around(GeoPoint(0, 0), 30_000)
    assert set(points_in(at.library.database, whole)) == {IDS[0], IDS[2], IDS[3]}


def test_times_are_found_as_they_were_recorded(at: Desk) -> None:
    database = at.library.database
    second = DAY.replace(hour=10, microsecond=123_456)
    assert recorded_times(database, "Anna", second, second) == {IDS[1]: second}
    assert recorded_times(database, "Anna", DAY, second.replace(microsecond=0)).keys() == {IDS[0]}
    decide(at, ClockShift("Anna", second, second, timedelta(days=-5)), Progress())
    assert recorded_times(database, "Anna", second, second) == {IDS[1]: second}
    assert recorded_times(database, "Anna", datetime.min, datetime.max).keys() == {
        IDS[0],
        IDS[1],
    }
