from dataclasses import replace
from datetime import datetime

import pytest

from core.domain.place import GeoPoint
from core.domain.query import ComposedQuery, Polarity
from core.domain.verdict import VerdictState
from core.errors import Cancelled, EmptyQuery, LibraryEmpty, UnknownChoice
from core.progress import Progress
from core.search.composed import search
from core.search.request import STRATEGIES, SearchRequest

PICTURES = ["red", "red blue", "blue", "green", "red red red blue", "yellow", "red green"]
SETS = ["oscar", "hybrid"]


def shown(answer):
    return [photo.photo_id for photo in answer.results if not photo.excluded]


def hidden(answer):
    return [photo.photo_id for photo in answer.results if photo.excluded]


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_finds_what_is_described(make_gallery, ask, strategy):
    answer = ask(make_gallery(PICTURES), "a green photo", strategy=strategy)
    assert shown(answer)[:2] == [4, 7]
    assert [photo.rank for photo in answer.results] == list(range(1, len(answer.results) + 1))
    assert answer.strategy == strategy
    assert answer.stage == "final"
    assert {"first", "final"} <= set(answer.seconds)


@pytest.mark.parametrize("strategy", SETS)
@pytest.mark.parametrize(
    "text", ["red without blue", "red but no blue", "red, not blue", "red except blue"]
)
def test_exclusion_excludes_and_the_excluded_stay_reachable(make_gallery, ask, strategy, text):
    answer = ask(make_gallery(PICTURES), text, strategy=strategy)
    assert shown(answer)[:2] == [1, 7]
    assert {2, 3, 5} == set(hidden(answer))
    assert [photo.excluded for photo in answer.results] == sorted(
        photo.excluded for photo in answer.results
    )
    blue = [i for i, s in enumerate(answer.trajectory.steps) if s.concept == "blue"]
    assert all(set(blue) & set(p.found_by) for p in answer.results if p.excluded)


def test_plain_search_excludes_nothing(make_gallery, ask):
    answer = ask(make_gallery(PICTURES), "red without blue", strategy="embedding")
    assert hidden(answer) == []
    assert answer.understanding.conditions == ()


@pytest.mark.parametrize("strategy", SETS)
def test_only_an_exclusion_starts_from_all_photos(make_gallery, ask, strategy):
    answer = ask(make_gallery(PICTURES), "no red", strategy=strategy)
    assert set(shown(answer)) == {3, 4, 6}
    assert set(hidden(answer)) == {1, 2, 5, 7}
    assert not answer.abstained


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_a_photo_alone_finds_photos_like_it_but_not_itself(make_gallery, ask, strategy):
    answer = ask(make_gallery(PICTURES), "", photo=1, strategy=strategy)
    assert shown(answer)[0] == 5
    assert 1 not in shown(answer)
    kept = ask(make_gallery([]), "", photo=1, strategy=strategy, keep_reference=True)
    assert shown(kept)[0] == 1


@pytest.mark.parametrize("strategy", SETS)
def test_a_photo_and_a_change(make_gallery, ask, strategy):
    answer = ask(make_gallery(PICTURES), "green instead of blue", photo=2, strategy=strategy)
    assert set(shown(answer)[:2]) == {4, 7}
    assert not {2, 3, 5} & set(shown(answer))


def test_exclusions_look_deeper_until_enough_are_left(make_gallery, ask, context_of):
    gallery = make_gallery(["red red red blue"] * 30 + ["red green"] * 5)
    context = context_of(gallery)
    narrow = replace(context, settings=context.settings.model_copy(update={"positive_top_k": 2}))
    request = SearchRequest(ComposedQuery("red without blue"), top=4)
    answer = search(request, narrow, Progress())
    assert shown(answer) == [31, 32, 33, 34]
    assert any(event.event == "widened" for event in answer.trace)


@pytest.mark.parametrize("top", [1, 2, 4, 50])
def test_excluded_photos_never_take_the_place_of_kept_ones(make_gallery, ask, top):
    gallery = make_gallery(PICTURES)
    everything = ask(gallery, "red without blue", top=50)
    answer = ask(gallery, "red without blue", top=top)
    assert shown(answer) == shown(everything)[:top]
    assert hidden(answer) == hidden(everything)[:top]
    assert [photo.rank for photo in answer.results] == list(range(1, len(answer.results) + 1))
    assert len(ask(gallery, "red", top=1, strategy="embedding").results) == 1


VIENNA, LISBON = GeoPoint(48.208, 16.372), GeoPoint(38.717, -9.133)


@pytest.fixture
def travels(make_gallery, picture):
    return make_gallery(
        [
            picture("red", datetime(2021, 7, 4, 12), VIENNA),
            picture("blue", datetime(2021, 7, 5, 12), LISBON),
            picture("red", datetime(2022, 1, 4, 12), LISBON),
            picture("red"),
        ]
    )


def test_dates_and_places_are_hard_filters_with_verdicts(travels, ask):
    july = ask(travels, "red in July 2021")
    assert shown(july) == [1, 2]
    assert july.results[0].verdicts[-1].state is VerdictState.KEPT
    assert july.results[0].verdicts[-1].evidence == "taken 2021-07-04"
    lisbon = ask(travels, "red in Lisbon")
    assert shown(lisbon)[0] == 3
    assert set(shown(lisbon)) == {2, 3}
    assert shown(ask(travels, "July 2021")) == [2, 1]


def test_a_filter_that_leaves_nothing_abstains_and_says_why(travels, ask):
    answer = ask(travels, "red in March 2023")
    assert answer.abstained
    assert shown(answer) == []
    assert set(hidden(answer)) == {1, 2, 3, 4}
    assert "2023" in " ".join(answer.near_miss.failed)
    assert any(event.event == "fallback" for event in answer.trace)


def test_the_near_miss_passes_the_filter_that_can_be_passed(travels, ask):
    answer = ask(travels, "red in Lisbon in March 2023")
    assert answer.abstained
    assert answer.near_miss.photo_id == 3
    assert len(answer.near_miss.failed) == 1
    assert "2023" in answer.near_miss.failed[0]


@pytest.mark.parametrize("strategy", SETS)
def test_nothing_matches_and_the_near_miss_says_what_fails(make_gallery, ask, strategy):
    answer = ask(make_gallery(PICTURES), "purple", strategy=strategy)
    assert answer.abstained
    assert answer.near_miss.failed == ("purple",)
    assert not ask(make_gallery([]), "yellow", strategy=strategy).abstained


def test_when_everything_is_excluded_the_near_miss_says_so(make_gallery, ask):
    answer = ask(make_gallery(["red", "red red red blue"]), "no red")
    assert answer.abstained
    assert "red" in answer.near_miss.failed
    assert set(hidden(answer)) == {1, 2}


def test_the_first_answer_comes_first_and_plain(make_gallery, context_of):
    firsts = []
    gallery = make_gallery(PICTURES)
    request = SearchRequest(ComposedQuery("red without blue"))
    final = search(request, context_of(gallery), Progress(), firsts.append)
    assert [answer.stage for answer in firsts] == ["first"]
    assert firsts[0].query_id == final.query_id
    assert firsts[0].results
    assert not any(photo.excluded for photo in firsts[0].results)


def test_cancelling_after_the_first_answer_stops(make_gallery, context_of):
    progress = Progress()
    gallery = make_gallery(PICTURES)
    with pytest.raises(Cancelled):
        search(
            SearchRequest(ComposedQuery("red")),
            context_of(gallery),
            progress,
            lambda first: progress.cancel(),
        )


def test_an_edited_plan_is_run_as_it_is(make_gallery, ask):
    gallery = make_gallery(PICTURES)
    plan = ask(gallery, "red without blue").trajectory
    positives = tuple(s for s in plan.steps if s.polarity is Polarity.POSITIVE)
    edited = ask(gallery, "red without blue", trajectory=replace(plan, steps=positives))
    assert hidden(edited) == []
    assert len(edited.found) == len(positives)
    assert edited.trajectory.steps == positives


def test_every_result_says_why_it_is_there(make_gallery, ask):
    answer = ask(make_gallery(PICTURES), "red without blue")
    first = answer.results[0]
    states = {v.condition.text: v.state for v in first.verdicts}
    assert states["blue"] is VerdictState.ABSENT
    assert first.found_by
    assert len(answer.found) == len(answer.trajectory.steps)
    events = [event.event for event in answer.trace]
    assert {"understood", "planner", "weights", "step", "sets"} <= set(events)
    cuts = [e.detail for e in answer.trace if e.event == "step" and e.detail.startswith("minus")]
    assert all("cut by presence" in cut for cut in cuts)


def test_a_query_has_one_name_whatever_the_strategy(make_gallery, ask):
    gallery = make_gallery(PICTURES)
    names = {ask(gallery, "red ", strategy=s).query_id for s in STRATEGIES}
    assert names == {ask(gallery, "red").query_id}
    assert ask(gallery, "blue").query_id not in names
    assert ask(gallery, "red", photo=1).query_id not in names


def test_what_cannot_be_answered_is_said(make_gallery, ask):
    gallery = make_gallery(PICTURES)
    with pytest.raises(EmptyQuery):
        ask(gallery, "  ")
    with pytest.raises(UnknownChoice, match="not in this version"):
        ask(gallery, "red", strategy="pdf")
    with pytest.raises(UnknownChoice, match="telepathy"):
        ask(gallery, "red", strategy="telepathy")


def test_an_empty_library_says_so(make_gallery, ask):
    with pytest.raises(LibraryEmpty):
        ask(make_gallery([]), "red")


@pytest.mark.parametrize(
    "text", ["?", '" OR 1=1 --', "<b>red</b>", "赤い犬", "no no no", "without", "a" * 5000, "\x00"]
)
def test_no_text_crashes(make_gallery, ask, text):
    assert ask(make_gallery(PICTURES), text).results
