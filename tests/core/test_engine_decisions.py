"""What the user decides, through a real engine: found by searches at once, kept, and undone."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import piexif
import pytest

from core.backends.fakes import TinyGazetteer, fake_perception
from core.domain.change import LibraryChange
from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    HomeSet,
    Judged,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    SessionsJoined,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.photo import Photo, PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint
from core.domain.query import ComposedQuery, QueryId
from core.domain.session import Session
from core.domain.tag import Tag, TagKind
from core.engine import Engine
from core.errors import Cancelled, InputError, NotInLibrary
from core.loaded import Backends
from core.progress import Progress, ProgressReport
from core.search.request import SearchOptions
from tests.core.pictures import AREZZO, FAKES, MOAB, SCENES, Scene, draw

LATER = timedelta(days=730)
SIDECAR = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmp:Rating="5"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">of the sidecar</rdf:li></rdf:Alt>
</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for scene in SCENES:
        draw(tmp_path / "photos", scene)
    return tmp_path / "photos"


@pytest.fixture
def engine(folder: Path, tmp_path: Path) -> Iterator[Engine]:
    opened = Engine.open(tmp_path / "library", FAKES)
    opened.index([folder], Progress())
    yield opened
    opened.close()


def photo(engine: Engine, name: str) -> Photo:
    root = next(iter(engine.roots()))
    found = engine.photo_at(root / f"{name}.jpg")
    assert found is not None
    return found


def everything(engine: Engine) -> dict[str, PhotoFacts]:
    return {p.path.stem: p.facts for p in engine.photos(engine.library.photos.ids())}


def occasions(engine: Engine) -> list[Session]:
    """The sessions, whatever their numbers."""
    return [replace(session, id=0) for session in engine.sessions()]


def decide(engine: Engine, value: DecisionValue) -> None:
    engine.decide(value, Progress())


def found(engine: Engine, text: str) -> set[str]:
    answer = engine.search(ComposedQuery(text), SearchOptions(), Progress())
    kept = [ranked.photo_id for ranked in answer.results if not ranked.excluded]
    return set() if answer.abstained else {p.path.stem for p in engine.photos(kept)}


def words(engine: Engine, *texts: str) -> set[str]:
    """The photos whose words hold one of these."""
    hits = engine.library.profiles.match(texts, 10)
    return {p.path.stem for p in engine.photos([photo_id for photo_id, _ in hits])}


def of_arezzo(engine: Engine) -> ClockShift:
    whole = (datetime(2021, 7, 1), datetime(2021, 7, 5))
    return ClockShift(photo(engine, "rose").facts.contributor, *whole, LATER)


def test_a_corrected_clock_moves_photos_in_searches_and_undo_brings_them_back(
    engine: Engine,
) -> None:
    before, sessions = everything(engine), occasions(engine)
    assert "rose" in found(engine, "red in July 2021")
    decide(engine, of_arezzo(engine))
    assert "rose" not in found(engine, "red in July 2021")
    assert "rose" in found(engine, "red in July 2023")
    assert words(engine, "2023") == {"rose", "flag", "lake", "meadow"}
    assert {s.start.local.year for s in engine.sessions()} == {2022, 2023}
    assert photo(engine, "sky").facts == before["sky"]
    undone = engine.undo(Progress())
    assert undone is not None
    assert undone.value == of_arezzo(engine)
    assert everything(engine) == before
    assert occasions(engine) == sessions
    assert "rose" in found(engine, "red in July 2021")
    assert engine.undo(Progress()) is None


def test_a_decision_survives_another_run_a_move_and_a_copy(
    engine: Engine, folder: Path, tmp_path: Path
) -> None:
    decide(engine, of_arezzo(engine))
    decide(engine, TitleSet((photo(engine, "rose").id,), "Grandmother's favourite"))
    shown = everything(engine)
    assert engine.index([folder], Progress()).unchanged == len(SCENES)
    assert everything(engine) == shown
    moved = folder / "elsewhere" / "renamed.jpg"
    moved.parent.mkdir()
    shutil.move(folder / "rose.jpg", moved)
    shutil.copy(folder / "lake.jpg", folder / "elsewhere" / "lake copy.jpg")
    engine.index([folder], Progress())
    again = engine.photo_at(moved)
    assert again is not None
    assert again.facts == shown["rose"]
    engine.undo(Progress())
    engine.undo(Progress())
    assert engine.photos([again.id])[0].facts.title == ""
    taken = engine.photos([again.id])[0].facts.taken
    assert taken is not None
    assert (taken.local, taken.correction) == (datetime(2021, 7, 3, 9), timedelta(0))


def test_a_decision_survives_another_model_that_looks_again(engine: Engine, folder: Path) -> None:
    decide(engine, TitleSet((photo(engine, "rose").id,), "zinnia"))
    renamed = fake_perception()
    renamed.encoder.name = "colours-2"  # type: ignore[misc]
    backends = Backends(lambda _: renamed, TinyGazetteer)
    again = Engine.open(engine.library.paths.root, backends)
    assert again.index([folder], Progress()).embedded == len(SCENES)
    assert words(again, "zinnia") == {"rose"}
    again.undo(Progress())
    assert words(again, "zinnia") == set()
    again.close()


def test_new_metadata_in_a_file_lie_under_what_was_decided(engine: Engine, folder: Path) -> None:
    rose = photo(engine, "rose")
    decide(engine, TitleSet((rose.id,), "by hand"))
    exif = piexif.load(str(rose.path))
    exif["0th"][piexif.ImageIFD.ImageDescription] = b"of the file"
    exif["Exif"][piexif.ExifIFD.DateTimeOriginal] = b"2021:07:03 16:00:00"
    piexif.insert(piexif.dump(exif), str(rose.path))
    engine.index([folder], Progress())
    again = photo(engine, "rose")
    assert again.id == rose.id
    assert again.facts.title == "by hand"
    assert again.facts.taken is not None
    assert again.facts.taken.local.hour == 16
    engine.undo(Progress())
    assert photo(engine, "rose").facts.title == "of the file"


def test_a_sidecar_that_comes_later_lies_under_what_was_decided(
    engine: Engine, folder: Path
) -> None:
    rose = photo(engine, "rose").id
    decide(engine, RatingSet((rose,), 2))
    (folder / "rose.xmp").write_text(SIDECAR)
    engine.index([folder], Progress())
    facts = photo(engine, "rose").facts
    assert (facts.rating, facts.title) == (2, "of the sidecar")
    assert words(engine, "sidecar") == {"rose"}
    engine.undo(Progress())
    assert photo(engine, "rose").facts.rating == 5


def test_photos_that_are_indexed_later_get_the_standing_decisions(
    engine: Engine, folder: Path
) -> None:
    rose = photo(engine, "rose")
    decide(engine, of_arezzo(engine))
    decide(engine, PlaceNamed("Casa Verde", GeoPoint(*AREZZO), 2))
    draw(folder, Scene("late", "red", "green", datetime(2021, 7, 3, 10), AREZZO, "+02:00"))
    engine.index([folder], Progress())
    late = photo(engine, "late").facts
    assert late.contributor == rose.facts.contributor
    assert late.taken is not None
    assert late.taken.local == datetime(2021, 7, 3, 10) + LATER
    assert late.place is not None
    assert "Casa Verde" in late.place.text
    assert "late" in words(engine, "Verde")
    engine.undo(Progress())
    engine.undo(Progress())
    late = photo(engine, "late").facts
    assert late.taken is not None
    assert late.taken.local == datetime(2021, 7, 3, 10)
    assert late.place is not None
    assert "Verde" not in late.place.text
    assert engine.library.decisions.recorded(engine.library.photos.ids()) == {}


def test_words_given_by_hand_are_found_at_once(engine: Engine) -> None:
    heard: list[LibraryChange] = []
    rose, lake = photo(engine, "rose").id, photo(engine, "lake").id
    engine.on_change = heard.append
    assert words(engine, "zinnia", "Ottilie") == set()
    decide(engine, TitleSet((rose,), "A zinnia\x07 <b>in bloom</b>"))
    decide(engine, TagsSet((rose, lake), (Tag(TagKind.PERSON, ("Ottilie",)),)))
    decide(engine, RatingSet((lake,), 5))
    assert photo(engine, "rose").facts.title == "A zinnia <b>in bloom</b>"
    assert words(engine, "zinnia") == {"rose"}
    assert words(engine, "Ottilie") == {"rose", "lake"}
    assert set(engine.library.tags.photos(TagKind.PERSON, "Ottilie")) == {lake, rose}
    assert photo(engine, "lake").facts.rating == 5
    assert heard == [LibraryChange.PHOTOS] * 3
    for _ in range(3):
        engine.undo(Progress())
    assert words(engine, "zinnia", "Ottilie") == set()
    assert photo(engine, "lake").facts.rating is None


def test_a_position_by_hand_is_searched_by_place(engine: Engine) -> None:
    rose = photo(engine, "rose").id
    assert "rose" in found(engine, "red near Arezzo")
    decide(engine, Geotag(((rose, GeoPoint(*MOAB)),)))
    assert "rose" not in found(engine, "red near Arezzo")
    assert "rose" in found(engine, "red near Moab")
    assert "rose" in words(engine, "Utah")
    engine.undo(Progress())
    assert "rose" in found(engine, "red near Arezzo")


def test_a_kind_and_a_contributor_by_hand(engine: Engine) -> None:
    rose = photo(engine, "rose").id
    decide(engine, KindSet((rose,), PhotoKind.SCAN))
    decide(engine, ContributorSet((rose,), "Ottilie"))
    facts = photo(engine, "rose").facts
    assert (facts.kind, facts.kind_reason, facts.contributor) == (
        PhotoKind.SCAN,
        "by hand",
        "Ottilie",
    )
    # the clock of the other device is not hers any more
    decide(engine, ClockShift("Test Brush / photos", datetime.min, datetime.max, LATER))


def test_the_users_names_of_places_come_and_go(engine: Engine) -> None:
    before = everything(engine)
    decide(engine, PlaceNamed("Casa Verde", GeoPoint(*AREZZO), 2))
    assert words(engine, "Verde") == {"rose", "flag", "lake", "meadow"}
    assert "Casa Verde" in engine.sessions()[0].place
    decide(engine, PlaceForgotten("Casa Verde"))
    assert everything(engine) == before
    assert words(engine, "Verde") == set()
    engine.undo(Progress())
    assert words(engine, "Verde") == {"rose", "flag", "lake", "meadow"}


def test_decisions_are_listed_in_their_order(engine: Engine) -> None:
    rose = photo(engine, "rose").id
    values: list[DecisionValue] = [
        TitleSet((rose,), "a"),
        HomeSet(GeoPoint(*AREZZO), date(2021, 1, 1)),
        SessionStart(photo(engine, "lake").id),
        SessionsJoined(rose, photo(engine, "sky").id),
    ]
    for value in values:
        decide(engine, value)
    assert [decision.value for decision in engine.decisions()] == values
    assert all(decision.made_at.tzinfo is not None for decision in engine.decisions())


def test_an_undone_judgement_holds_no_more(engine: Engine) -> None:
    query = engine.search(ComposedQuery("red"), SearchOptions(), Progress()).query_id
    rose, lake = photo(engine, "rose"), photo(engine, "lake")
    engine.judge(query, [rose.path], [])
    engine.judge(query, [lake.path], [rose.path])
    held = engine.library.judgements.held
    heard: list[LibraryChange] = []
    engine.on_change = heard.append
    undone = engine.undo(Progress())
    assert undone is not None
    assert isinstance(undone.value, Judged)
    assert held(query, [rose.id, lake.id]) == ((rose.id, True), (lake.id, None))
    engine.undo(Progress())
    assert held(query, [rose.id, lake.id]) == ((rose.id, None), (lake.id, None))
    assert heard == [LibraryChange.JUDGEMENTS] * 2


def test_a_judgement_that_fails_is_no_decision(engine: Engine) -> None:
    with pytest.raises(NotInLibrary):
        engine.judge(QueryId("never asked"), [photo(engine, "rose").path], [])
    assert engine.decisions() == []


WHOLE = (datetime(2021, 7, 1), datetime(2021, 7, 5))
HERE = GeoPoint(*AREZZO)
ROSE = (PhotoId(1),)


@pytest.mark.parametrize(
    "value",
    [
        TitleSet((PhotoId(99),), "x"),
        TitleSet((), "x"),
        RatingSet(ROSE, 6),
        RatingSet(ROSE, -2),
        ContributorSet(ROSE, " \x00 "),
        TagsSet(ROSE),
        TagsSet(ROSE, (Tag(TagKind.KEYWORD, ("",)),)),
        TagsSet(ROSE, (Tag(TagKind.KEYWORD, ()),)),
        Geotag(((PhotoId(1), GeoPoint(90.1, 0)),)),
        Geotag(((PhotoId(1), GeoPoint(0, -180.1)),)),
        Geotag(((PhotoId(1), GeoPoint(float("nan"), 0)),)),
        Geotag(((PhotoId(99), HERE),)),
        PlaceNamed("", HERE, 1),
        PlaceNamed("x", HERE, 0),
        PlaceNamed("x", HERE, float("inf")),
        PlaceNamed("x", GeoPoint(-91, 0), 1),
        PlaceForgotten("never named"),
        HomeSet(GeoPoint(0, 181)),
        HomeSet(HERE, date(2021, 1, 2), date(2021, 1, 1)),
        SessionStart(PhotoId(99)),
        SessionsJoined(PhotoId(1), PhotoId(99)),
        ClockShift("nobody", *WHOLE, LATER),
        ClockShift("Test Brush / photos", *WHOLE[::-1], LATER),
        ClockShift("Test Brush / photos", *WHOLE, timedelta(0)),
        ClockShift("Test Brush / photos", *WHOLE, timedelta(days=365 * 1000)),
        ClockShift("Test Brush / photos", *WHOLE, timedelta(days=365 * 100)),
        ClockShift("Test Brush / photos", *WHOLE, -timedelta(days=365 * 250)),
        ClockShift("Test Brush / photos", datetime(1990, 1, 1), datetime(1991, 1, 1), LATER),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    engine: Engine, value: DecisionValue
) -> None:
    before = everything(engine)
    with pytest.raises(InputError) as told:
        decide(engine, value)
    assert told.value.advice
    assert everything(engine) == before
    assert engine.decisions() == []


def test_a_cancelled_decision_changes_nothing(engine: Engine) -> None:
    before, progress = everything(engine), Progress()

    def stop(report: ProgressReport) -> None:
        if report.stage == "photos":
            progress.cancel()

    progress.listener = stop
    with pytest.raises(Cancelled):
        engine.decide(of_arezzo(engine), progress)
    assert everything(engine) == before
    assert engine.decisions() == []
    decide(engine, of_arezzo(engine))
    assert everything(engine) != before


def test_photos_of_which_no_file_is_left_are_decided_too(engine: Engine, folder: Path) -> None:
    rose, shift = photo(engine, "rose"), of_arezzo(engine)
    content = rose.path.read_bytes()
    rose.path.unlink()
    engine.index([folder], Progress())
    decide(engine, shift)
    (folder / "again.jpg").write_bytes(content)
    engine.index([folder], Progress())
    back = engine.photo_at(folder / "again.jpg")
    assert back is not None
    assert back.id == rose.id
    assert back.facts.taken is not None
    assert back.facts.taken.local.year == 2023
