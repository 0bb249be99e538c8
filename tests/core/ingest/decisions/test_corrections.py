"""What the library shows of a photo once the user has decided something about it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.backends.fakes import TinyGazetteer
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    HomeSet,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, PhotoFacts, PhotoId, PhotoKind, PointSource
from core.domain.place import GeoPoint, PlaceName
from core.domain.tag import Tag, TagKind, TagSource
from core.ingest.decisions.corrections import Standing, World, corrected
from core.ingest.sessions.zones import order_key, with_zone

ONE, OTHER = PhotoId(1), PhotoId(2)
NOON = datetime(2021, 7, 3, 12)
AREZZO, SYDNEY, MOAB = (
    GeoPoint(43.463, 11.88),
    GeoPoint(-33.868, 151.207),
    GeoPoint(38.573, -109.549),
)
ZONES = {AREZZO: "Europe/Rome", SYDNEY: "Australia/Sydney", MOAB: "America/Denver"}


class FewZones(ZoneFinder):
    """Knows the zones of three towns."""

    def zone(self, point: GeoPoint) -> str | None:
        """The zone of exactly that town."""
        return ZONES.get(point)


WORLD = World(TinyGazetteer(), FewZones())


def recorded(
    taken: CaptureTime | None = None,
    point: GeoPoint | None = None,
    contributor: str = "Brush",
    tags: tuple[Tag, ...] = (),
) -> PhotoFacts:
    taken = with_zone(taken, WORLD.zones.zone(point) if point else None)
    place = TinyGazetteer().nearest([point])[0] if point else None
    return PhotoFacts(
        ContentHash("a"), "p", "JPEG", 4, 3, taken, order_key(taken), point, "", place,
        Camera("Test", "Brush"), contributor, PhotoKind.PHOTO, "recorded", tags,
    )  # fmt: skip


def at(local: datetime = NOON, offset: timedelta | None = None, **more: object) -> CaptureTime:
    time = CaptureTime(local, offset, ClockSource.ORIGINAL, Precision.SECOND)
    return replace(time, **more)  # type: ignore[arg-type]


def shown(facts: PhotoFacts, *decisions: DecisionValue, photo: PhotoId = ONE) -> PhotoFacts:
    return corrected(photo, facts, Standing.of(decisions), WORLD)


def shift(hours: float, contributor: str = "Brush", day: datetime = NOON) -> ClockShift:
    first, last = day - timedelta(days=1), day + timedelta(days=1)
    return ClockShift(contributor, first, last, timedelta(hours=hours))


points = st.sampled_from([AREZZO, SYDNEY, MOAB])
ids = st.lists(st.sampled_from([ONE, OTHER]), min_size=1, max_size=2, unique=True).map(tuple)
words = st.sampled_from(["Anna", "Brush", "x"])
tags = st.builds(
    Tag, st.sampled_from(TagKind), st.tuples(words), st.sampled_from(TagSource)
)  # fmt: skip
changes = st.one_of(
    st.builds(ContributorSet, ids, words),
    st.builds(shift, st.integers(-30, 30), words),
    st.builds(lambda i, p: Geotag(tuple((one, p) for one in i)), ids, points),
    st.builds(KindSet, ids, st.sampled_from(PhotoKind)),
    st.builds(TitleSet, ids, words),
    st.builds(RatingSet, ids, st.integers(-1, 5)),
    st.builds(TagsSet, ids, st.tuples(tags), st.tuples(tags)),
    st.builds(PlaceNamed, words, points, st.floats(0.1, 300)),
    st.builds(PlaceForgotten, words),
    st.builds(HomeSet, points),
    st.builds(SessionStart, st.sampled_from([ONE, OTHER])),
)
times = st.one_of(
    st.none(),
    st.builds(
        CaptureTime,
        st.datetimes(datetime(2020, 1, 1), datetime(2022, 1, 1)),
        st.sampled_from([None, timedelta(hours=2)]),
        st.sampled_from(ClockSource),
        st.sampled_from(Precision),
    ),
)
photos = st.builds(recorded, times, st.one_of(st.none(), points), words, st.tuples(tags))


@given(photos)
def test_without_decisions_a_photo_is_what_its_files_say(facts: PhotoFacts) -> None:
    assert shown(facts) is facts
    assert shown(facts, HomeSet(AREZZO), SessionStart(ONE)) is facts


@given(photos, st.lists(changes, max_size=6))
def test_what_is_shown_follows_from_the_recorded_alone(
    facts: PhotoFacts, decisions: list[DecisionValue]
) -> None:
    standing = Standing.of(decisions)
    first = corrected(ONE, facts, standing, WORLD)
    assert corrected(ONE, facts, standing, WORLD) == first
    # what identifies it, and what no decision is about, never changes
    assert (first.content_hash, first.camera, first.look) == (
        facts.content_hash,
        facts.camera,
        facts.look,
    )


@given(photos, st.lists(changes, max_size=5), changes)
def test_the_decision_of_another_photo_leaves_this_one_alone(
    facts: PhotoFacts, decisions: list[DecisionValue], last: DecisionValue
) -> None:
    third = PhotoId(3)
    of_photos = (ContributorSet, Geotag, KindSet, TitleSet, RatingSet, TagsSet)
    if isinstance(last, of_photos):
        with_it = shown(facts, *decisions, last, photo=third)
        assert with_it == shown(facts, *decisions, photo=third)


def test_a_clock_is_corrected_in_its_range_and_for_its_device_alone() -> None:
    facts = recorded(at(offset=timedelta(hours=2)))
    later = shown(facts, shift(-1)).taken
    assert later is not None
    assert later.local == NOON - timedelta(hours=1)
    assert later.offset == timedelta(hours=2)
    assert later.correction == timedelta(hours=-1)
    assert shown(facts, shift(-1)).order_key == (facts.order_key or 0) - 3600
    assert shown(facts, shift(-1, "Anna")) is facts
    assert shown(facts, shift(-1, day=NOON + timedelta(days=5))) is facts


def test_the_range_is_inclusive_and_of_what_was_recorded() -> None:
    facts = recorded(at())
    exact = ClockShift("Brush", NOON, NOON, timedelta(days=400))
    once = shown(facts, exact).taken
    twice = shown(facts, exact, exact).taken  # the shifted time lies outside the range
    assert once is not None
    assert twice is not None
    assert once.local == NOON + timedelta(days=400)
    assert twice.local == NOON + timedelta(days=800)
    before = ClockShift("Brush", NOON + timedelta(seconds=1), NOON.max, timedelta(days=1))
    assert shown(facts, before) is facts


@pytest.mark.parametrize("source", [ClockSource.FILE_TIME, ClockSource.GPS])
def test_the_clocks_of_files_and_satellites_are_not_the_cameras(source: ClockSource) -> None:
    facts = recorded(at(source=source, offset=timedelta(0)))
    assert shown(facts, shift(5)) is facts


@pytest.mark.parametrize(("hours", "days"), [(5, 0), (-5, 0), (13, 1), (-13, -1), (48, 2)])
def test_a_day_moves_by_whole_days(hours: int, days: int) -> None:
    day = NOON.replace(hour=0)
    facts = recorded(at(day, precision=Precision.DAY))
    moved = shown(facts, shift(hours, day=day)).taken
    assert moved is not None
    assert moved.local == day + timedelta(days=days)
    assert moved.local - moved.correction == day


def test_a_shift_is_of_the_contributor_of_its_time() -> None:
    facts = recorded(at())
    mine, hers = ContributorSet((ONE,), "Anna"), shift(2, "Anna")
    assert shown(facts, mine, hers).taken != facts.taken
    assert shown(facts, hers, mine).taken == facts.taken
    # and stays when the photo is given to another one later
    assert shown(facts, mine, hers, ContributorSet((ONE,), "x")).taken != facts.taken


def test_a_position_brings_its_zone_its_place_and_its_order() -> None:
    facts = recorded(at(), contributor="Brush")
    tagged = shown(facts, Geotag(((ONE, SYDNEY), (OTHER, MOAB))))
    assert tagged.point == SYDNEY
    assert tagged.point_source is PointSource.HAND
    assert tagged.place is not None
    assert tagged.place.name == "Sydney"
    assert tagged.taken is not None
    assert tagged.taken.zone == "Australia/Sydney"
    assert tagged.order_key == (facts.order_key or 0) - 10 * 3600
    track = shown(facts, Geotag(((ONE, SYDNEY),), "walk.gpx"))
    assert track.point_source is PointSource.TRACK


def test_a_refused_position_is_no_problem_once_one_is_given() -> None:
    facts = replace(recorded(at()), gps_problem="void status")
    assert shown(facts, Geotag(((ONE, MOAB),))).gps_problem == ""


def test_a_position_far_out_at_sea_has_no_name() -> None:
    there = shown(recorded(at(), AREZZO), Geotag(((ONE, GeoPoint(0.0, -30.0)),)))
    assert there.place is None


def test_a_position_at_sea_has_no_zone_rather_than_the_old_one() -> None:
    facts = recorded(at(), AREZZO)
    assert facts.taken is not None
    assert facts.taken.zone == "Europe/Rome"
    there = shown(facts, Geotag(((ONE, GeoPoint(0.0, -30.0)),)))
    assert there.taken is not None
    assert there.taken.zone is None


def test_gps_time_becomes_the_local_time_of_the_new_place() -> None:
    facts = recorded(at(offset=timedelta(0), source=ClockSource.GPS))
    there = shown(facts, Geotag(((ONE, MOAB),))).taken
    assert there is not None
    assert there.local == NOON - timedelta(hours=6)
    assert there.absolute == facts.taken.absolute if facts.taken else False


def test_the_users_name_of_the_smallest_place_holds() -> None:
    house = PlaceNamed("our house", AREZZO, 0.5)
    hills = PlaceNamed("the hills", AREZZO, 30)
    for decisions in ((house, hills), (hills, house)):
        place = shown(recorded(at(), AREZZO), *decisions).place
        assert place == PlaceName(
            "Arezzo", "Tuscany", "IT", 0.0, AREZZO, locality="our house", own=True
        )
        assert place.text.startswith("our house")
        assert place.text.endswith("Tuscany, IT")
    again = PlaceNamed("home", AREZZO, 0.5)
    newest = shown(recorded(at(), AREZZO), house, again).place
    assert newest is not None
    assert newest.locality == "home"
    assert shown(recorded(at(), MOAB), house, hills).place == recorded(at(), MOAB).place


def test_a_forgotten_name_holds_no_more_and_can_be_given_again() -> None:
    facts = recorded(at(), AREZZO)
    named, forgotten = PlaceNamed("home", AREZZO, 1), PlaceForgotten("home")
    assert shown(facts, named, forgotten) is facts
    assert shown(facts, named, forgotten, named) == shown(facts, named)


def test_a_photo_placed_later_gets_the_users_name_too() -> None:
    named = PlaceNamed("the rocks", MOAB, 2)
    place = shown(recorded(at()), named, Geotag(((ONE, MOAB),))).place
    assert place is not None
    assert (place.locality, place.region, place.country) == ("the rocks", "Utah", "US")


def test_tags_come_and_go_by_kind_and_levels() -> None:
    file_tag = Tag(TagKind.KEYWORD, ("Anna",))
    person = Tag(TagKind.PERSON, ("Anna",), TagSource.SIDECAR)
    facts = recorded(tags=(file_tag, person))
    less = shown(facts, TagsSet((ONE,), (), (Tag(TagKind.KEYWORD, ("Anna",), TagSource.HAND),)))
    assert less.tags == (person,)
    more = shown(facts, TagsSet((ONE,), (Tag(TagKind.EVENT, ("wedding",)),)))
    assert more.tags[-1] == Tag(TagKind.EVENT, ("wedding",), TagSource.HAND)
    assert shown(facts, TagsSet((ONE,), (file_tag,))) is facts


def test_later_words_replace_earlier_ones() -> None:
    facts = recorded()
    both = shown(facts, TitleSet((ONE,), "a"), RatingSet((ONE,), 3), TitleSet((ONE, OTHER), "b"))
    assert (both.title, both.rating) == ("b", 3)
    assert shown(facts, KindSet((ONE,), PhotoKind.SCAN)).kind_reason == "by hand"
