"""Stories end to end: real SQLite, FAISS and HiGHS over coloured pictures."""

import itertools
from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.photo import PhotoKind
from core.domain.query import PlaceFilter, TimeFilter
from core.domain.story import Bundle, Relation
from core.errors import Cancelled, UnknownChoice
from core.progress import Progress
from core.settings import StorySettings
from core.story.composer import compose
from core.story.options import ComposeOptions
from tests.core.conftest import Picture
from tests.core.story.conftest import MOAB, START, VIENNA, plan_of, shots

BOTH = pytest.mark.parametrize("strategy", ["weaver", "exact"])
DAY = timedelta(days=1)


def ids(bundle: Bundle) -> list[int]:
    return [photo.photo_id for photo in bundle.photos]


def events(answer) -> list[str]:
    return [event.event for event in answer.trace]


@BOTH
def test_finds_the_photo_of_each_role_in_one_event(make_tale, strategy):
    wedding = shots("yellow red", "brown", "blue red", "grey", "green red", point=MOAB)
    others = [
        shots("yellow", "red", start=START + 30 * DAY, point=VIENNA),
        shots("blue", "grey", start=START + 60 * DAY, point=VIENNA),
    ]
    tale = make_tale([*others, wedding])
    answer = tale.compose(plan_of("yellow", "blue", "green", subject="red"), strategy)
    best = answer.bundles[0]
    assert ids(best) == [5, 7, 9]
    assert [photo.role for photo in best.photos] == ["yellow", "blue", "green"]
    assert best.title == "Red: Moab, 3 May 2019"
    assert best.score == pytest.approx(10.0)
    assert answer.strategy == strategy


def test_unknown_strategy_lists_the_choices(make_tale):
    tale = make_tale([shots("red", "blue")])
    with pytest.raises(UnknownChoice) as raised:
        tale.compose(plan_of("red"), "magic")
    assert "weaver" in raised.value.advice
    assert "exact" in raised.value.advice


@BOTH
def test_near_duplicates_and_bursts_never_meet_in_a_bundle(make_tale, strategy):
    burst = shots("red", "red", "red blue", "red blue", "red", minutes=0.01)
    later = shots("red", "green red", start=START + timedelta(hours=2))
    tale = make_tale([burst + later])
    answer = tale.compose(plan_of("red", "blue", "green"), strategy)
    for bundle in answer.bundles:
        vectors = tale.gallery.vectors(np.array(ids(bundle)))
        cosines = vectors @ vectors.T - np.eye(len(vectors))
        assert cosines.max() < tale.gallery.perception.presence.near_duplicate_above
    assert len(ids(answer.bundles[0])) == 3


@BOTH
def test_time_order_is_never_broken(make_tale, strategy):
    backwards = shots("green", "blue", "yellow", "green blue yellow")
    tale = make_tale([backwards])
    answer = tale.compose(plan_of("yellow", "blue", "green", subject="blue"), strategy)
    for bundle in answer.bundles:
        assert ids(bundle) == sorted(ids(bundle))
        order = [
            ["yellow", "blue", "green"].index(p.role)
            for p in bundle.photos
            if p.role in ("yellow", "blue", "green")
        ]
        assert order == sorted(order)


@BOTH
def test_a_trip_story_spans_the_trip_and_stays_in_it(make_tale, strategy):
    days = [shots("red blue", "red", start=START + i * DAY, point=MOAB) for i in range(5)]
    days[3][0] = Picture("green red", START + 3 * DAY, MOAB)
    home = shots("red", "blue", "green", start=START - 90 * DAY, point=VIENNA)
    tale = make_tale([home, *days], trips=[range(1, 6)])
    plan = plan_of("?blue", "?green", relation=Relation.TRIP, subject="red")
    best = tale.compose(plan, strategy).bundles[0]
    trip = set(tale.trips[0].photo_ids)
    assert set(ids(best)) <= trip
    # equal pictures are near-duplicates: three distinct ones can be told at all
    assert len(ids(best)) == 3


@BOTH
def test_every_day_of_a_short_trip_is_told(make_tale, strategy):
    colours = ["red", "red blue", "red green", "red yellow", "red orange"]
    days = [
        shots(colour, f"{colour} {colour} grey", start=START + i * DAY, point=MOAB)
        for i, colour in enumerate(colours)
    ]
    tale = make_tale(days, trips=[range(5)])
    best = tale.compose(plan_of("?red", relation=Relation.TRIP, subject="red"), strategy).bundles[0]
    assert len(best.photos) == 5
    assert {(photo_id + 1) // 2 for photo_id in ids(best)} == {1, 2, 3, 4, 5}
    check = next(check for check in best.checks if check.name == "days of the trip")
    assert (check.score, check.text) == (1.0, "the photos are from 5 of 5 days")


@BOTH
def test_the_brief_selects_among_trips(make_tale, strategy):
    west = [
        shots("red", "red blue", "red green", start=START + i * DAY, point=MOAB) for i in (0, 1)
    ]
    east = [
        shots("red", "red blue", "red green", start=START + (40 + i) * DAY, point=VIENNA)
        for i in (0, 1)
    ]
    tale = make_tale([*west, *east], trips=[(0, 1), (2, 3)])
    where = PlaceFilter("Vienna", (VIENNA,), 30.0)
    answer = tale.compose(plan_of("blue", relation=Relation.TRIP, where=where), strategy)
    assert answer.bundles
    assert all(set(ids(b)) <= set(tale.trips[1].photo_ids) for b in answer.bundles)
    when = TimeFilter("in May", months=frozenset({5}))
    answer = tale.compose(plan_of("blue", relation=Relation.TRIP, when=when), strategy)
    assert all(set(ids(b)) <= set(tale.trips[0].photo_ids) for b in answer.bundles)


def test_without_trips_a_run_of_days_is_used_and_said(make_tale):
    tale = make_tale([shots("red", "blue", "green", minutes=60 * 20)])
    answer = tale.compose(plan_of("red", "blue", relation=Relation.TRIP))
    assert "no trip" in events(answer)
    assert ids(answer.bundles[0]) == [1, 2, 3]


@BOTH
def test_filters_hold_also_for_photos_without_a_position(make_tale, strategy):
    mixed = shots("red", "red blue", "red green", point=MOAB)
    mixed[1] = Picture("red blue", mixed[1].taken)
    elsewhere = shots("red", "blue", "green", start=START + 5 * DAY, point=VIENNA)
    unknown = shots("red", "blue", "green", start=START + 9 * DAY)
    tale = make_tale([mixed, elsewhere, unknown])
    where = PlaceFilter("Moab", (MOAB,), 30.0)
    answer = tale.compose(plan_of("red", "blue", "green", where=where), strategy)
    assert [ids(bundle) for bundle in answer.bundles] == [[1, 2, 3]]
    when = TimeFilter("on 8 May", date(2019, 5, 8), date(2019, 5, 8))
    answer = tale.compose(plan_of("red", "blue", "green", when=when), strategy)
    assert [ids(bundle) for bundle in answer.bundles] == [[4, 5, 6]]


@BOTH
def test_screenshots_undated_and_distant_photos_stay_out(make_tale, strategy):
    run = shots("red", "red blue", "red green", point=MOAB)
    run.append(Picture("red yellow", START, MOAB, kind=PhotoKind.SCREENSHOT))
    run.append(Picture("red yellow"))
    far = shots("red yellow", start=START + timedelta(hours=2), point=VIENNA)
    tale = make_tale([run, far])
    plan = plan_of("?red", "?blue", "?green", "?yellow")
    answer = tale.compose(plan, strategy)
    assert ids(answer.bundles[0]) == [1, 2, 3]
    missing = next(c for c in answer.bundles[0].checks if c.name == "roles covered")
    assert missing.text == "3 of 4 roles are played; missing: yellow"
    asked = plan_of("?red", "?blue", "?yellow", subject="red screenshots")
    assert 4 in ids(tale.compose(asked, strategy).bundles[0])


@BOTH
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (PhotoKind.SCREENSHOT, "red screenshots"),
        (PhotoKind.RECEIPT, "red receipts"),
        (PhotoKind.RECEIPT, "Quittungen"),
        (PhotoKind.SCAN, "red scans"),
        (PhotoKind.SCAN, "red documents"),
        (PhotoKind.MEME, "red memes"),
        (PhotoKind.GRAPHIC, "red drawings"),
        (PhotoKind.VIDEO, "red videos"),
    ],
)
def test_what_is_no_photo_enters_a_story_only_when_asked_for(make_tale, strategy, kind, words):
    run = shots("red", "red blue", "red green", point=MOAB)
    run.append(Picture("red yellow", START, MOAB, kind=kind))
    tale = make_tale([run])
    plan = plan_of("?red", "?blue", "?yellow")
    assert 4 not in ids(tale.compose(plan, strategy).bundles[0])
    asked = plan_of("?red", "?blue", "?yellow", subject=words)
    assert 4 in ids(tale.compose(asked, strategy).bundles[0])


@BOTH
def test_fewer_photos_than_asked_for_are_said(make_tale, strategy):
    tale = make_tale([shots("red", "red blue")])
    answer = tale.compose(plan_of("red", "blue", "green", sizes=(3, 5)), strategy)
    assert ids(answer.bundles[0]) == [1, 2]
    assert any(
        c.text == "only 2 fitting photos, 3 were asked for" for c in answer.bundles[0].checks
    )


@BOTH
@pytest.mark.parametrize("colours", [(), ("red",), ("red", "red")])
def test_no_story_and_why(make_tale, strategy, colours):
    answer = make_tale([shots(*colours)]).compose(plan_of("red", "blue"), strategy)
    assert answer.bundles == ()
    assert "no story" in events(answer)


@BOTH
def test_day_to_night_is_one_day_with_its_small_hours(make_tale, strategy):
    morning = datetime(2019, 5, 3, 8)
    photos = [
        Picture("yellow", morning),
        Picture("orange", morning + timedelta(hours=10)),
        Picture("black", morning + timedelta(hours=18)),
        Picture("yellow orange", morning + timedelta(hours=22)),
    ]
    tale = make_tale([photos])
    plan = plan_of("yellow", "orange", "black", relation=Relation.DAY_TO_NIGHT, subject="orange")
    answer = tale.compose(plan, strategy)
    assert ids(answer.bundles[0]) == [1, 2, 3]
    assert any(c.name == "the day passes" and c.score == 1 for c in answer.bundles[0].checks)


@BOTH
def test_recurring_is_one_place_over_the_years(make_tale, strategy):
    visits = [
        shots(colours, start=START + i * 365 * DAY, point=VIENNA)
        for i, colours in enumerate(["red", "red blue", "red green"])
    ]
    elsewhere = shots("red yellow", start=START + 100 * DAY, point=MOAB)
    tale = make_tale([*visits, elsewhere])
    plan = plan_of("?red", "?blue", "?green", "?yellow", relation=Relation.RECURRING)
    answer = tale.compose(plan, strategy)
    assert ids(answer.bundles[0]) == [1, 2, 3]
    assert any(c.name == "occasions" and c.score == 1 for c in answer.bundles[0].checks)


def test_bundles_tell_different_stories(make_tale):
    runs = [
        shots("red", "red blue", "red green", "red yellow", start=START + i * 9 * DAY)
        for i in range(3)
    ]
    answer = make_tale(runs).compose(plan_of("red", "blue", "green"), bundles=3)
    assert len(answer.bundles) == 3
    for one, other in itertools.combinations(answer.bundles, 2):
        assert len(set(ids(one)) & set(ids(other))) * 2 <= min(len(ids(one)), len(ids(other)))
    scores = [bundle.score for bundle in answer.bundles]
    assert scores == sorted(scores, reverse=True)


def test_cancelling_keeps_the_best_so_far(make_tale):
    runs = [shots("red", "red blue", "red green", start=START + i * 9 * DAY) for i in range(3)]
    tale = make_tale(runs)
    progress, heard = Progress(), []

    def on_better(bundle: Bundle) -> None:
        heard.append(bundle)
        progress.cancel()

    options = ComposeOptions(on_better=on_better)
    with pytest.raises(Cancelled):
        compose(
            plan_of("red", "blue"), tale.gallery, tale.sessions, tale.trips, options, None, progress
        )
    assert len(heard) == 1
    assert len(heard[0].photos) >= 2


colours = st.lists(
    st.sampled_from(["red", "blue", "green", "red blue", "red green", "blue green", "grey red"]),
    min_size=0,
    max_size=9,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(colours, st.randoms(use_true_random=False), st.sampled_from(["weaver", "exact"]))
def test_any_library_gives_lawful_bundles(make_tale_fresh, some, random, strategy):
    minutes = [random.randrange(0, 3000) for _ in some]
    pictures = [
        Picture(c, START + timedelta(minutes=m)) for c, m in zip(some, sorted(minutes), strict=True)
    ]
    tale = make_tale_fresh([pictures])
    plan = plan_of("red", "blue", "?green", sizes=(2, 4))
    for bundle in tale.compose(plan, strategy).bundles:
        assert 2 <= len(bundle.photos) <= 4
        assert len(set(ids(bundle))) == len(bundle.photos)
        times = [pictures[i - 1].taken for i in ids(bundle)]
        assert times == sorted(times)
        roles = [p.role for p in bundle.photos]
        if "red" in roles and "blue" in roles:
            red, blue = (times[roles.index(name)] for name in ("red", "blue"))
            assert red <= blue
        assert 1 <= bundle.score <= 10
        assert all(0 <= check.score <= 1 and check.text for check in bundle.checks)
        vectors = tale.gallery.vectors(np.array(ids(bundle)))
        assert (vectors @ vectors.T - np.eye(len(vectors))).max() < 0.999


def test_the_order_of_import_does_not_matter(make_tale_fresh):
    pictures = shots("red", "red blue", "green", "red green", "blue", "red yellow", "grey red")
    plan = plan_of("red", "blue", "green")
    stories = set()
    for order in itertools.islice(itertools.permutations(range(len(pictures))), 0, 5040, 997):
        shuffled = [pictures[i] for i in order]
        answer = make_tale_fresh([shuffled]).compose(plan)
        stories.add(tuple(tuple(shuffled[i - 1].taken for i in ids(b)) for b in answer.bundles))
    assert len(stories) == 1


def test_a_wider_beam_of_everything_is_never_judged_worse(make_tale):
    random = np.random.default_rng(5)
    names = ["red", "blue", "green", "yellow", "grey"]
    some = [" ".join(random.choice(names, int(random.integers(1, 4)))) for _ in range(12)]
    tale = make_tale([shots(*some)])
    plan = plan_of("red", "blue", "green", "yellow", subject="red")
    narrow = tale.compose(plan, settings=StorySettings(beam_width=1, candidates=1, seeds=1))
    everything = tale.compose(plan, settings=StorySettings(beam_width=50, candidates=50, seeds=50))
    assert everything.bundles[0].score >= narrow.bundles[0].score


@BOTH
def test_what_no_photo_shows_has_no_story(make_tale, strategy):
    tale = make_tale([shots("red", "red blue", "red green")])
    answer = tale.compose(plan_of("yellow", "purple", subject="pink"), strategy)
    assert answer.bundles == ()
    assert answer.trace[-1].detail == "no photo shows what the brief tells of"


@BOTH
def test_times_that_only_the_file_tells_stay_out(make_tale, monkeypatch, strategy):
    tale = make_tale([shots("red", "red blue", "red green", "red yellow")])
    tale.gallery.columns.told[3] = False
    answer = tale.compose(plan_of("?red", "?blue", "?yellow"), strategy)
    assert all(4 not in ids(bundle) for bundle in answer.bundles)
    assert answer.trace[0].detail == "of 1 photos nothing tells when they were taken"


@BOTH
def test_a_walk_is_only_the_part_of_a_trip_that_is_there(make_tale, strategy):
    runs = [
        shots("red", "red blue", "red green", start=START, point=VIENNA),
        shots("red", "red yellow", "red orange", start=START + DAY, point=MOAB),
    ]
    tale = make_tale(runs, trips=[(0, 1)])
    where = PlaceFilter("near Vienna", (VIENNA,), 30.0)
    plan = plan_of("blue", relation=Relation.TRIP, where=where, subject="our red walk")
    assert {i for b in tale.compose(plan, strategy).bundles for i in ids(b)} <= {1, 2, 3}
    plan = plan_of("blue", relation=Relation.TRIP, where=where, subject="our red trip")
    assert {i for b in tale.compose(plan, strategy).bundles for i in ids(b)} & {4, 5, 6}


@BOTH
def test_a_story_without_what_it_must_show_is_not_told(make_tale, strategy):
    tale = make_tale([shots("red", "red blue", "red green"), shots("pink", start=START + 9 * DAY)])
    plan = plan_of("blue", "*pink", "?green", subject="red")
    assert tale.compose(plan, strategy).bundles == ()
    when = TimeFilter("on 3 May", date(2019, 5, 3), date(2019, 5, 3))
    bound = tale.compose(plan_of("blue", "*pink", "?green", subject="red", when=when), strategy)
    assert len(bound.bundles[0].photos) == 3


@BOTH
def test_a_place_that_only_the_photos_words_know_chooses_their_sessions(make_tale, strategy):
    runs = [
        shots("red", "red blue", "red green", start=START),
        shots("red", "red yellow", "red purple", start=START + 9 * DAY),
    ]
    tale = make_tale(runs)
    plan = replace(plan_of("red", "?purple"), named=("purple",))  # profiles hold colours
    answer = tale.compose(plan, strategy)
    assert answer.bundles
    assert all(set(ids(bundle)) <= {4, 5, 6} for bundle in answer.bundles)
    (fallback,) = [e.detail for e in answer.trace if e.event == "fallback"]
    assert "“purple”" in fallback
    assert "1 photos name it" in fallback


@BOTH
def test_a_place_that_nothing_knows_tells_only_what_photos_show(make_tale, strategy):
    tale = make_tale([shots("red", "red blue", "red green")])
    seen = tale.compose(replace(plan_of("red", "?blue"), named=("Serengeti",)), strategy)
    assert seen.bundles
    assert "fallback" in events(seen)
    unseen = plan_of("?purple", subject="purple", relation=Relation.TRIP)
    assert tale.compose(unseen, strategy).bundles  # a trip binds its photos
    assert not tale.compose(replace(unseen, named=("Serengeti",)), strategy).bundles
    on_trip = make_tale([shots("red", "red blue", "red green")], [[0]])
    told = on_trip.compose(replace(unseen, named=("Serengeti",)), strategy)
    assert told.bundles  # a real trip binds its photos by itself
    assert "fallback" in events(told)


@BOTH
def test_a_role_that_is_hardly_shown_is_called_a_moment(make_tale, strategy, monkeypatch):
    tale = make_tale([shots("red", "red blue", "red green")])
    plan = plan_of("red", "?blue", "?green")
    presence = type(tale.gallery.perception.presence)
    named = {photo.role for photo in tale.compose(plan, strategy).bundles[0].photos}
    assert "blue" in named
    monkeypatch.setattr(presence, "nothing_matches_below", 0.9)
    doubted = {photo.role for photo in tale.compose(plan, strategy).bundles[0].photos}
    assert doubted == {"red", "moment"}
