"""Clocks that are wrong, proposed from scenes that two devices photographed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path

import pytest

from core.backends.fakes import COLOURS, fake_perception
from core.domain.contributor import ClockProposal, Trust
from core.domain.photo import Camera, PhotoId
from core.domain.place import GeoPoint
from core.ingest.decisions.clock_proposals import propose_shifts
from core.ingest.decisions.contributors import contributors, is_phone
from core.progress import Progress
from core.store.library import Library
from core.store.reach import facts_of
from tests.core.conftest import Picture

START = datetime(2021, 7, 3, 9)
SCENES = [" ".join(pair) for pair in combinations(list(COLOURS)[:8], 2)]
"""Pictures that the colour encoder tells apart: two colours each."""

PHONE, CAMERA = Camera("Apple", "iPhone 12"), Camera("Canon", "Canon EOS 40D")
AREZZO, MOAB = GeoPoint(43.463, 11.88), GeoPoint(38.573, -109.549)
Make = Callable[[Sequence[Picture]], Library]


def by_phone(number: int, hours: float) -> Picture:
    return Picture(SCENES[number], START + timedelta(hours=hours), None, "Apple iPhone 12 / a")


def by_camera(number: int, hours: float, wrong: timedelta = timedelta(0)) -> Picture:
    return Picture(SCENES[number], START + timedelta(hours=hours) - wrong, None, "Canon / b")


@pytest.fixture
def make(make_library: Make) -> Make:
    def build(pictures: Sequence[Picture]) -> Library:
        library = make_library(pictures)
        for photo_id, facts in facts_of(library.database, library.photos.ids()).items():
            camera = PHONE if "iPhone" in facts.contributor else CAMERA
            library.photos.set_facts(photo_id, replace(facts, camera=camera))
        return library

    return build


def proposed(library: Library) -> list[ClockProposal]:
    return propose_shifts(library, fake_perception().encoder.name, 0.998, Progress())


def both(count: int, wrong: timedelta, jitter: float = 0.2) -> Iterator[Picture]:
    """Scenes an hour apart, photographed by both, the camera's clock behind by `wrong`."""
    for number in range(count):
        yield by_phone(number, number)
        yield by_camera(number, number + (number % 3) * jitter / 60, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        timedelta(hours=1),
        timedelta(hours=-8),
        timedelta(days=1),
        timedelta(days=365 * 16, hours=9, minutes=13),
    ],
)
def test_a_usual_error_is_proposed_from_few_scenes(make: Make, wrong: timedelta) -> None:
    library = make([*both(4, wrong), by_camera(20, 6, wrong)])
    (only,) = proposed(library)
    assert (only.wrong, only.right) == ("Canon / b", "Apple iPhone 12")
    assert abs(only.shift - wrong) <= timedelta(seconds=90)
    assert only.first == START - wrong
    assert only.last == START + timedelta(hours=6) - wrong
    assert len(only.evidence) == 4
    ids = {(pair.wrong, pair.right) for pair in only.evidence}
    assert ids == {(PhotoId(2 * n + 2), PhotoId(2 * n + 1)) for n in range(4)}


def test_whole_hours_are_proposed_as_such(make: Make) -> None:
    (only,) = proposed(make(list(both(4, timedelta(hours=1, seconds=20)))))
    assert only.shift == timedelta(hours=1)


def test_an_unusual_error_needs_more_scenes(make: Make) -> None:
    assert proposed(make(list(both(4, timedelta(minutes=37))))) == []


def test_an_unusual_error_with_more_scenes_is_proposed(make: Make) -> None:
    (only,) = proposed(make(list(both(6, timedelta(minutes=37)))))
    assert abs(only.shift - timedelta(minutes=37)) <= timedelta(seconds=30)


def test_right_clocks_are_left_alone(make: Make) -> None:
    assert proposed(make(list(both(10, timedelta(0))))) == []


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_scenes_are_no_evidence(make: Make, count: int) -> None:
    pictures = [*both(count, timedelta(hours=1)), by_phone(20, 5), by_phone(21, 6)]
    assert proposed(make([*pictures, by_camera(24, 5), by_camera(25, 6)])) == []


def test_scenes_that_disagree_are_no_evidence(make: Make) -> None:
    pictures = []
    for number in range(9):
        pictures += [by_phone(number, number), by_camera(number, number * 2.3 + 1)]
    assert proposed(make(pictures)) == []


def test_a_burst_of_one_scene_is_one_moment(make: Make) -> None:
    pictures = []
    for number in range(8):
        second = number / 3600
        pictures += [by_phone(number, second), by_camera(number, second, timedelta(hours=1))]
    assert proposed(make(pictures)) == []


def test_photos_far_from_each_other_show_different_scenes(make: Make) -> None:
    pictures = [
        replace(one, point=AREZZO if "iPhone" in one.contributor else MOAB)
        for one in both(6, timedelta(hours=1))
    ]
    assert proposed(make(pictures)) == []


def test_two_devices_of_equal_trust_correct_none(make: Make) -> None:
    pictures = [replace(one, contributor=one.contributor[-1]) for one in both(6, timedelta(days=1))]
    assert proposed(make(pictures)) == []


def test_the_range_ends_where_the_clock_was_right(make: Make) -> None:
    wrong = timedelta(hours=6)
    right_before = list(both(4, timedelta(0)))
    later = [
        replace(one, taken=(one.taken or START) + timedelta(days=2)) for one in both(9, wrong, 0)
    ]
    (only,) = proposed(make([*right_before, *later[8:]]))
    assert only.shift == wrong
    assert only.first == START + timedelta(days=2, hours=4) - wrong
    assert only.last >= START + timedelta(days=2, hours=8) - wrong


def test_each_period_has_its_own_correction(make: Make) -> None:
    second = [
        replace(one, taken=(one.taken or START) + timedelta(days=30), colours=f"{one.colours} grey")
        for one in both(4, timedelta(days=1))
    ]
    found = proposed(make([*both(4, timedelta(hours=1)), *second]))
    assert [one.shift for one in found] == [timedelta(hours=1), timedelta(days=1)]
    assert found[0].last < found[1].first


def test_instants_are_compared_where_both_are_known(make: Make) -> None:
    library = make(list(both(6, timedelta(hours=6))))
    for photo_id, facts in facts_of(library.database, library.photos.ids()).items():
        assert facts.taken is not None
        home = timedelta(hours=2 if "iPhone" in facts.contributor else -4)
        library.photos.set_facts(photo_id, replace(facts, taken=replace(facts.taken, offset=home)))
    assert proposed(library) == []


def test_an_empty_library_has_no_clocks(make: Make) -> None:
    library = make([])
    assert proposed(library) == []
    assert contributors(library) == []


@pytest.mark.parametrize(("told", "trust"), [(1, Trust.BY_HAND), (2, Trust.WITH_OFFSETS)])
def test_a_device_is_as_most_of_its_photos_tell(make: Make, told: int, trust: Trust) -> None:
    library = make([by_camera(number, number) for number in range(3)])
    for photo_id, facts in list(facts_of(library.database, library.photos.ids()).items())[:told]:
        assert facts.taken is not None
        time = replace(facts.taken, offset=timedelta(0), correction=timedelta(hours=1))
        library.photos.set_facts(photo_id, replace(facts, taken=time))
    (camera,) = contributors(library)
    assert camera.trust is trust
    assert camera.corrected == told


def test_contributors_tell_their_devices_and_times(make: Make, tmp_path: Path) -> None:
    phone, camera = contributors(make([by_phone(0, 0), by_phone(1, 5), by_camera(2, 3)]))
    assert (phone.name, phone.photos, phone.devices) == (
        "Apple iPhone 12 / a",
        2,
        ("Apple iPhone 12",),
    )
    assert (phone.first, phone.last) == (START, START + timedelta(hours=5))
    assert (phone.trust, camera.trust) == (Trust.PHONE, Trust.BY_HAND)
    assert (phone.corrected, camera.corrected) == (0, 0)
    assert is_phone(Camera("samsung", "SM-G991B"))
    assert not is_phone(Camera("SAMSUNG", "NX500"))
