"""Exact duplicates, near-duplicates and bursts."""

import os
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.backends.fakes import fake_perception
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import (
    NO_LOOK,
    Camera,
    ContentHash,
    FileStamp,
    Look,
    PhotoFacts,
    PhotoId,
    PhotoKind,
)
from core.errors import Cancelled
from core.ingest.likeness.duplicates import find_duplicates
from core.ingest.likeness.near import hash_pairs
from core.ingest.sessions.groups import Groups
from core.ingest.sessions.zones import order_key
from core.paths import LibraryPaths
from core.progress import Progress, ProgressReport
from core.store.library import Library, open_library

NOON = datetime(2024, 5, 1, 12)
DAY = 86_400


@dataclass(frozen=True)
class Shot:
    """A photo: seconds after noon, its vector's angle in degrees (None: no vector), its hash."""

    seconds: float
    angle: float | None = 0
    bits: int | None = None
    pixels: str = ""
    side: int = 10
    by: str = "Ada"
    precision: Precision = Precision.SECOND
    source: ClockSource = ClockSource.ORIGINAL
    kind: PhotoKind = PhotoKind.PHOTO
    rating: int | None = None


def facts_of(number: int, shot: Shot) -> PhotoFacts:
    taken = CaptureTime(NOON + timedelta(seconds=shot.seconds), None, shot.source, shot.precision)
    look = NO_LOOK if shot.bits is None else Look(f"{shot.bits:016x}", 100.0, 0.0)
    return PhotoFacts(
        content_hash=ContentHash(f"{number:064x}"),
        pixel_hash=shot.pixels or str(number),
        format="JPEG",
        width=shot.side,
        height=shot.side,
        taken=taken,
        order_key=order_key(taken),
        point=None,
        gps_problem="",
        place=None,
        camera=Camera(),
        contributor=shot.by,
        kind=shot.kind,
        look=look,
        rating=shot.rating,
    )


def add(library: Library, number: int, shot: Shot) -> PhotoId:
    stamp = FileStamp(Path(f"/photos/{number}.jpg"), number, 0)
    photo_id = library.photos.save(facts_of(number, shot), stamp)
    if shot.angle is not None:
        vector = np.zeros((1, 15), np.float32)
        vector[0, :2] = np.cos(np.radians(shot.angle)), np.sin(np.radians(shot.angle))
        library.vectors.save("colours-1", [photo_id], vector)
    return photo_id


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(LibraryPaths(tmp_path / "library"))


def groups(library: Library) -> list[tuple[str, list[str], str]]:
    found = find_duplicates(library, fake_perception(), Progress())
    return [(g.kind, sorted(path.stem for path in g.files), g.best.stem) for g in found]


def groups_of(library: Library, *shots: Shot) -> list[tuple[str, list[str]]]:
    for number, shot in enumerate(shots, 1):
        add(library, number, shot)
    return [group[:2] for group in groups(library)]


def test_equal_pixels_are_exact_and_told_once(library: Library) -> None:
    found = groups_of(
        library, Shot(0, 0, 0, "same"), Shot(9000, 0, 0, "same"), Shot(0, 90, 2**40 - 1)
    )
    assert found == [("exact", ["1", "2"])]


def test_of_exact_copies_the_rated_one_is_best(library: Library) -> None:
    add(library, 1, Shot(0, pixels="same", rating=4))
    add(library, 2, Shot(0, pixels="same"))
    [group] = find_duplicates(library, fake_perception(), Progress())
    assert group.best.stem == "1"
    assert group.reason == "rated highest, 4 of 5, of files of equal pixels"


def test_a_burst_is_close_in_time_and_alike(library: Library) -> None:
    for number, (seconds, angle) in enumerate([(0, 0), (1.5, 10), (3, 20), (4, 80), (9, 10)], 1):
        add(library, number, Shot(seconds, angle, side=20 if number == 2 else 10))
    bursts = [group for group in groups(library) if group[0] == "burst"]
    assert bursts == [("burst", ["1", "2", "3"], "2")]


def test_a_burst_within_one_second_may_come_in_any_order(library: Library) -> None:
    """Cameras without fractions of a second: alike in turn, but not in the order of ids."""
    found = groups_of(library, Shot(0, 0), Shot(0, 46), Shot(0, 23), Shot(1, 69))
    assert found == [("burst", ["1", "2", "3", "4"])]


@pytest.mark.parametrize(
    "other",
    [
        Shot(1, 20, by="Bo"),
        Shot(1, 20, precision=Precision.DAY),
        Shot(1, 20, source=ClockSource.FILE_TIME),
        Shot(2.5, 20),
        Shot(1, 40),
        Shot(1, 20, kind=PhotoKind.VIDEO),
    ],
)
def test_what_is_no_burst(library: Library, other: Shot) -> None:
    assert groups_of(library, Shot(0, 0), replace(other)) == []


def test_two_contributors_at_once_have_two_bursts(library: Library) -> None:
    shots = [Shot(n // 2 / 2, (n % 2) * 15 + n, by="AB"[n % 2]) for n in range(8)]
    found = groups_of(library, *shots)
    assert sorted(found) == [("burst", ["1", "3", "5", "7"]), ("burst", ["2", "4", "6", "8"])]


def test_near_duplicates_are_found_anywhere(library: Library) -> None:
    """Their hashes lead to each other across the years; their vectors decide."""
    add(library, 1, Shot(0, 0, 0b1111))
    for number in range(2, 40):
        add(
            library,
            number,
            Shot(number * 1000, 2.5 + number * 4, number * 0x9E3779B97F4A7C15 % 2**64),
        )
    add(library, 50, Shot(10**7, 0.5, 0b1111_0000))
    assert groups(library) == [("near", ["1", "50"], "50")]


def test_like_hashes_of_unlike_vectors_are_no_duplicates(library: Library) -> None:
    assert groups_of(library, Shot(0, 0, 7), Shot(DAY, 60, 7)) == []


def test_without_vectors_few_bits_make_a_near_duplicate(library: Library) -> None:
    found = groups_of(
        library, Shot(0, None, 0), Shot(DAY, None, 0b1111), Shot(2 * DAY, None, 0b1111 << 30 | 1)
    )
    assert found == [("near", ["1", "2"])]


def test_a_near_duplicate_of_a_burst_joins_it_not(library: Library) -> None:
    found = groups_of(library, Shot(0, 0, 0), Shot(1, 0, 0), Shot(DAY, 0, 0), Shot(DAY + 1, 0, 0))
    assert found == [("burst", ["1", "2"]), ("burst", ["3", "4"])]


def test_videos_are_duplicates_only_where_all_bytes_are_equal(library: Library) -> None:
    film = Shot(0, 0, 0, "black frame", kind=PhotoKind.VIDEO)
    assert groups_of(library, film, replace(film, seconds=DAY)) == []
    library.photos.attach(PhotoId(1), FileStamp(Path("/copies/1.mp4"), 1, 0))
    assert groups(library) == [("exact", ["1", "1"], "1")]


def test_a_video_is_no_near_duplicate_of_a_photo_or_a_video(library: Library) -> None:
    film = Shot(0, 0, 5, kind=PhotoKind.VIDEO)
    assert groups_of(library, film, Shot(600, 0, 5), replace(film, seconds=9000)) == []


@pytest.mark.parametrize("pause", [1, 1.5, 5, 30])
def test_the_frames_of_a_time_lapse_are_no_duplicates(library: Library, pause: float) -> None:
    shots = [Shot(n * pause, n * 2, n) for n in range(30)]
    assert groups_of(library, *shots) == []


@pytest.mark.parametrize(
    "times",
    [
        [n * 0.2 for n in range(30)],  # a fast burst is as even as a time-lapse
        [n + (0.9 if n % 3 else 0) for n in range(30)],
        [n * 1.5 for n in range(15)],
    ],
)
def test_bursts_are_no_time_lapses(library: Library, times: list[float]) -> None:
    [(kind, members)] = groups_of(
        library, *[Shot(second, n * 2, n) for n, second in enumerate(times)]
    )
    assert (kind, len(members)) == ("burst", len(times))


def test_a_link_is_no_duplicate(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    os.link(tmp_path / "a.jpg", tmp_path / "b.jpg")
    photo_id = add(library, 1, Shot(0))
    library.photos.detach([Path("/photos/1.jpg")])
    for name in ("a.jpg", "b.jpg"):
        library.photos.attach(photo_id, FileStamp(tmp_path / name, 1, 1))
    assert groups(library) == []
    (tmp_path / "c.jpg").write_bytes(b"x")
    library.photos.attach(photo_id, FileStamp(tmp_path / "c.jpg", 1, 1))
    assert [group[:2] for group in groups(library)] == [("exact", ["a", "c"])]


def test_it_can_be_cancelled(library: Library) -> None:
    add(library, 1, Shot(0))
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        find_duplicates(library, fake_perception(), progress)


@pytest.mark.parametrize("stage", ["copies", "bursts", "neighbours", "hashes"])
def test_every_stage_reports_and_stops_when_asked(library: Library, stage: str) -> None:
    for number in range(4):
        add(library, number, Shot(number, number, number, "same" if number < 2 else ""))

    def stop(report: ProgressReport) -> None:
        if report.stage == stage:
            progress.cancel()

    progress = Progress(stop)
    with pytest.raises(Cancelled):
        find_duplicates(library, fake_perception(), progress)


def test_an_empty_library_has_none(library: Library) -> None:
    assert groups(library) == []


Hash = st.integers(0, 2**64 - 1)


@st.composite
def hashes(draw: st.DrawFn) -> list[int]:
    """Some hashes, and others that a few turned bits lead to."""
    made = draw(st.lists(Hash, min_size=1, max_size=12))
    for _ in range(draw(st.integers(0, 30))):
        bits = draw(st.sets(st.integers(0, 63), max_size=16))
        made.append(draw(st.sampled_from(made)) ^ sum(1 << bit for bit in bits))
    return made


@settings(max_examples=60, deadline=None)
@given(hashes=hashes(), within=st.integers(0, 15))
@example(hashes=[0, 0, 0], within=0)
@example(hashes=[0, 0x0007_0007_0007_0003], within=11)  # no band but the last is near
def test_bands_find_exactly_what_comparing_all_finds(hashes: list[int], within: int) -> None:
    found = [
        pair
        for left, right in hash_pairs(np.array(hashes, np.uint64), within, Progress())
        for pair in zip(left.tolist(), right.tolist(), strict=True)
    ]
    brute = [
        (one, other)
        for one, other in combinations(range(len(hashes)), 2)
        if (hashes[one] ^ hashes[other]).bit_count() <= within
    ]
    assert sorted(found) == brute


def test_bands_cut_large_buckets_into_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.ingest.likeness.near._CHUNK", 50)
    chunks = list(hash_pairs(np.arange(64, dtype=np.uint64), 4, Progress()))
    assert max(len(left) for left, _ in chunks) <= 64
    pairs = {pair for left, right in chunks for pair in zip(left, right, strict=True)}
    near = [(a, b) for a, b in combinations(range(64), 2) if (a ^ b).bit_count() <= 4]
    assert sorted(pairs) == near


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15))
def test_groups_know_their_roots_and_sizes(pairs: list[tuple[int, int]]) -> None:
    made = Groups(10)
    for one, other in pairs:
        made.roots()
        made.join(one, other)
    of = {member: group for group in made.all() for member in group}
    assert [len(of[n]) for n in range(10)] == made.sizes().tolist()
    assert [of[n][0] for n in range(10)] == made.roots().tolist()
