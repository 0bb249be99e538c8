"""What goes into the stores comes out again, and nothing else does."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import (
    Camera,
    ContentHash,
    FileStamp,
    Look,
    PhotoFacts,
    PhotoId,
    PhotoKind,
    PointSource,
)
from core.domain.place import GeoPoint, PlaceName
from core.domain.problem import Problem, ProblemReason
from core.domain.profile import Concept, Profile
from core.domain.query import ComposedQuery, QueryId, ReferencePhoto
from core.domain.session import (
    Session,
    SessionSpan,
    Split,
    SplitRule,
    TimedSession,
    Trip,
    TripSpan,
)
from core.domain.tag import Region, Tag, TagKind, TagSource
from core.errors import NotInLibrary
from core.paths import LibraryPaths
from core.store.copies import exact_copies
from core.store.library import Library, open_library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(LibraryPaths(tmp_path / "library"))
    yield opened
    opened.close()


def facts(name: str, hour: int = 10, pixel_hash: str = "") -> PhotoFacts:
    moment = CaptureTime(
        datetime(2021, 7, 4, hour, 30, 15, 250_000),
        timedelta(hours=-6),
        ClockSource.ORIGINAL,
        Precision.SECOND,
        "America/Denver",
    )
    return PhotoFacts(
        content_hash=ContentHash(name),
        pixel_hash=pixel_hash,
        format="JPEG",
        width=4000,
        height=3000,
        taken=moment,
        order_key=1_625_416_215.25 + hour * 3600,
        point=GeoPoint(38.573, -109.549, -12.5),
        gps_problem="",
        place=PlaceName("Moab", "Utah", "US", 3.2, GeoPoint(38.57, -109.55)),
        camera=Camera("NIKON", "D70", "123", "Ann"),
        contributor="Ann",
        kind=PhotoKind.PHOTO,
        title="Arch",
        tags=(
            Tag(TagKind.KEYWORD, ("desert sun",)),
            Tag(TagKind.PERSON, ("People", "Ann"), TagSource.SIDECAR, Region(0.1, 0.2, 0.3, 0.4)),
        ),
        exposure="1/250 s",
        rating=4,
        point_source=PointSource.EXIF,
        kind_reason="a camera took it",
        look=Look("00ff", 12.5, 0.01),
        note="a part is missing",
    )


def bare(name: str) -> PhotoFacts:
    return PhotoFacts(
        ContentHash(name), "", "PNG", 1, 1, None, None, None, "void status", None,
        Camera(), "", PhotoKind.GRAPHIC,
    )  # fmt: skip


def stamp(path: str) -> FileStamp:
    return FileStamp(Path(path), 1234, 1_700_000_000_123_456_789)


@pytest.mark.parametrize("one", [facts("a"), bare("b")])
def test_facts_survive_the_round_trip(library: Library, one: PhotoFacts) -> None:
    photo_id = library.photos.save(one, stamp("/photos/one.jpg"))
    (photo,) = library.photos.photos([photo_id])
    assert photo.facts == one
    assert photo.files == (stamp("/photos/one.jpg"),)


def test_the_same_bytes_in_two_files_are_one_photo(library: Library) -> None:
    first = library.photos.save(facts("a"), stamp("/photos/1.jpg"))
    second = library.photos.save(facts("a"), stamp("/photos/2.jpg"))
    assert first == second
    assert library.photos.count() == 1
    assert library.photos.file_totals() == (2, 2468)
    library.photos.detach([Path("/photos/1.jpg")])
    assert library.photos.photos([first])[0].path == Path("/photos/2.jpg")


def test_a_photo_without_files_is_not_in_the_library(library: Library) -> None:
    photo_id = library.photos.save(facts("a"), stamp("/photos/1.jpg"))
    assert library.photos.detach([Path("/photos/1.jpg"), Path("/unknown")]) == 1
    assert library.photos.count() == 0
    with pytest.raises(NotInLibrary):
        library.photos.photos([photo_id])
    assert library.photos.ids_by_hash([ContentHash("a")]) == {"a": photo_id}


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.binary(min_size=1, max_size=20).filter(lambda b: b"/" not in b and b"\0" not in b),
)
@pytest.mark.skipif(os.name == "nt", reason="Windows names are Unicode")
def test_names_of_any_bytes_survive(library: Library, name: bytes) -> None:
    path = Path(os.fsdecode(b"/photos/" + name))
    library.photos.save(facts("a"), FileStamp(path, 1, 2))
    assert library.photos.known_files([path])[path].stamp == FileStamp(path, 1, 2)
    assert library.photos.id_at(path) is not None
    library.photos.detach([path])
    assert library.photos.known_files([path]) == {}


def test_files_under_a_folder_are_those_and_no_neighbours(library: Library) -> None:
    inside = [f"/a/b/{i:04}.jpg" for i in range(1203)]
    with library.database.write():
        for path in [*inside, "/a/b.jpg", "/a/bc/x.jpg", "/a/b0", "/a/b-/y"]:
            library.photos.attach(library.photos.save(bare(path), stamp(path)), stamp(path))
    assert [str(path) for path in library.photos.files_under(Path("/a/b"))] == inside
    assert len(list(library.photos.files_under(Path("/")))) == 1207


def test_the_timeline_is_in_capture_order_with_ties_by_hash(library: Library) -> None:
    late = library.photos.save(facts("a", hour=12), stamp("/1"))
    tied_z = library.photos.save(facts("z", hour=9), stamp("/2"))
    tied_b = library.photos.save(facts("b", hour=9), stamp("/3"))
    undated = library.photos.save(bare("c"), stamp("/4"))
    assert [e.photo_id for e in library.photos.timeline()] == [undated, tied_b, tied_z, late]


def test_copies_that_differ_in_metadata_are_found(library: Library) -> None:
    library.photos.save(facts("a", pixel_hash="p"), stamp("/1"))
    library.photos.save(facts("b", pixel_hash="p"), stamp("/2"))
    library.photos.save(facts("c", pixel_hash="q"), stamp("/3"))
    (group,) = exact_copies(library.database)
    assert [str(copy.stamp.path) for copy in group] == ["/1", "/2"]


def test_vectors_come_back_as_they_were(library: Library) -> None:
    ids = [library.photos.save(bare(str(i)), stamp(f"/{i}")) for i in range(5)]
    vectors = np.random.default_rng(0).normal(size=(4, 8)).astype(np.float16).astype(np.float32)
    library.vectors.save("m-1", ids[:4], vectors)
    library.vectors.save("m-1", ids[:1], -vectors[:1])
    found, loaded = library.vectors.load("m-1")
    assert found.tolist() == ids[:4]
    assert loaded.dtype == np.float32
    np.testing.assert_array_equal(loaded, np.vstack([-vectors[:1], vectors[1:]]))
    assert library.vectors.missing("m-1") == ids[4:]
    assert library.vectors.missing("m-2") == ids
    library.photos.detach([Path("/1")])
    assert library.vectors.load("m-1")[0].tolist() == [ids[0], ids[2], ids[3]]


def profile(photo_id: PhotoId, text: str) -> Profile:
    return Profile(photo_id, (Concept("dog", 0.9), Concept("beach", 0.5)), text)


def test_profiles_are_found_by_their_words(library: Library) -> None:
    ids = [library.photos.save(bare(str(i)), stamp(f"/{i}")) for i in range(3)]
    texts = ["a dog on the beach", "running dogs and a dog", "a cat"]
    library.profiles.save([profile(i, t) for i, t in zip(ids, texts, strict=True)])
    found = library.profiles.match(["dog"], 10)
    assert {photo_id for photo_id, _ in found} == set(ids[:2])
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)
    assert library.profiles.profiles(ids[:1])[ids[0]] == profile(ids[0], texts[0])
    library.profiles.save([profile(ids[0], "nothing now")])
    assert [photo_id for photo_id, _ in library.profiles.match(["dog"], 10)] == [ids[1]]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=4))
def test_words_are_data_and_never_query_syntax(library: Library, words: list[str]) -> None:
    photo_id = library.photos.save(bare("a"), stamp("/a"))
    library.profiles.save([profile(photo_id, "a dog")])
    library.profiles.match([*words, 'dog" OR "', "NEAR(", "text:*"], 10)


def test_problems_are_kept_one_a_file(library: Library) -> None:
    since = datetime(2024, 1, 1, tzinfo=UTC)
    old = Problem(Path("/x.jpg"), ProblemReason.EMPTY, "0 bytes", since)
    new = Problem(Path("/x.jpg"), ProblemReason.DAMAGED, "cut off", since)
    library.problems.save(old, stamp("/x.jpg"))
    library.problems.save(new, stamp("/x.jpg"))
    assert library.problems.all() == [new]
    assert library.problems.stamps([Path("/x.jpg")]) == {Path("/x.jpg"): stamp("/x.jpg")}
    library.problems.clear([Path("/x.jpg")])
    assert library.problems.count() == 0


def test_sessions_and_trips_come_back_as_they_were(library: Library) -> None:
    ids = [library.photos.save(facts(str(h), hour=h), stamp(f"/{h}")) for h in (1, 2, 9)]
    taken = facts("1", hour=1).taken, facts("2", hour=2).taken, facts("9", hour=9).taken
    assert taken[0] and taken[1] and taken[2]
    first = Session(
        1, "Ann", (ids[0], ids[1]), taken[0], taken[1], Split(SplitRule.FIRST),
        GeoPoint(38.5, -109.5), "Moab",
    )  # fmt: skip
    second = Session(2, "Ann", (ids[2],), taken[2], taken[2], Split(SplitRule.GAP, 7.0), None, "")
    trip = Trip(1, (first, second), Split(SplitRule.FIRST), "Moab")
    timed = [TimedSession(first, 10.0, 20.0, False), TimedSession(second, 90.0, 90.0, False)]
    for _ in range(2):
        assert library.sessions.renew(timed, 0.0, 100.0, set()) == {1, 2}
        spans = library.sessions.spans(0.0, 100.0)
        library.sessions.renew_trips([TripSpan(tuple(spans), trip.split, "Moab")], 0.0, 100.0)
    assert library.sessions.sessions() == [first, second]
    assert library.sessions.of_photos(ids[2:]) == [second]
    assert library.sessions.trips() == [trip]
    later = SessionSpan(2, "Ann", 90.0, 90.0, taken[2].local, None, "", 1)
    assert spans[1] == later
    library.sessions.renew([], 0.0, 100.0, set())
    assert library.sessions.sessions() == library.sessions.trips() == []


def test_the_newest_word_on_a_photo_holds(library: Library) -> None:
    photo_id = library.photos.save(bare("a"), stamp("/a"))
    query = ComposedQuery("a dog", ReferencePhoto(Path("/ref.jpg")))
    library.judgements.remember(QueryId("q1"), query)
    library.judgements.judge(QueryId("q1"), [photo_id], [])
    library.judgements.judge(QueryId("q1"), [], [photo_id])
    assert library.judgements.count() == 1
    assert library.judgements.query(QueryId("q1")) == ("a dog", Path("/ref.jpg"))
    with pytest.raises(NotInLibrary):
        library.judgements.judge(QueryId("unknown"), [photo_id], [])


def test_roots_and_facts(library: Library) -> None:
    library.facts.put_root(Path("/photos"), offline=False)
    library.facts.put_root(Path("/photos"), offline=True)
    assert library.facts.roots() == {Path("/photos"): True}
    assert library.facts.get("missing", "default") == "default"


def test_a_photo_is_where_it_can_be_reached(library: Library) -> None:
    photo_id = library.photos.save(bare("a"), stamp("/gone/a.jpg"))
    library.photos.attach(photo_id, stamp("/here/a.jpg"))
    assert library.photos.photos([photo_id])[0].path == Path("/gone/a.jpg")
    library.facts.put_root(Path("/gone"), offline=True)
    assert library.photos.photos([photo_id])[0].path == Path("/here/a.jpg")


def test_a_reference_of_any_bytes_is_remembered(library: Library) -> None:
    path = Path(os.fsdecode(b"/caf\xe9 \xff.jpg"))
    library.judgements.remember(QueryId("q2"), ComposedQuery("", ReferencePhoto(path)))
    assert library.judgements.query(QueryId("q2")) == ("", path)
