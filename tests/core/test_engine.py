"""The engine's verbs on a small library of drawn pictures, with stand-ins for models."""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.backends.fakes import TinyGazetteer, fake_perception
from core.domain.answer import SearchAnswer
from core.domain.change import LibraryChange
from core.domain.query import ComposedQuery, QueryId, ReferencePhoto
from core.domain.story import StoryBrief
from core.engine import Engine
from core.errors import (
    Cancelled,
    EmptyQuery,
    FolderMissing,
    LibraryEmpty,
    NotInLibrary,
    ReferenceUnreadable,
    UnknownChoice,
)
from core.loaded import Backends
from core.progress import Progress
from core.search.request import SearchOptions
from core.story.options import StoryOptions
from tests.core.pictures import FAKES, SCENES, Scene, draw


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for scene in SCENES:
        draw(folder, scene)
    (folder / "notes.txt").write_text("not a photo")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 and nothing more")
    return folder


@pytest.fixture(scope="module")
def engine(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = Engine.open(tmp_path_factory.mktemp("library"), FAKES)
    report = opened.index([folder], Progress())
    assert report.added == len(SCENES)
    yield opened
    opened.close()


def names(engine: Engine, answer: SearchAnswer) -> list[str]:
    kept = [ranked.photo_id for ranked in answer.results if not ranked.excluded]
    return [photo.path.stem for photo in engine.photos(kept)]


def search(engine: Engine, text: str, reference: Path | None = None) -> SearchAnswer:
    query = ComposedQuery(text, ReferencePhoto(reference) if reference else None)
    return engine.search(query, SearchOptions(), Progress())


def test_every_file_is_in_the_library_or_listed(engine: Engine, folder: Path) -> None:
    listed = {problem.path.name for problem in engine.problems()}
    assert listed == {"notes.txt", "broken.jpg"}
    assert engine.stats().photos == len(SCENES)
    photo = engine.photo_at(folder / "rose.jpg")
    assert photo is not None
    thumbnail = engine.thumbnail(photo)
    assert thumbnail is not None
    assert thumbnail.stat().st_size > 0


def test_a_second_run_looks_at_nothing_again(engine: Engine, folder: Path) -> None:
    report = engine.index([folder], Progress())
    assert (report.added, report.changed, report.embedded) == (0, 0, 0)
    assert report.unchanged == len(SCENES)


def test_an_exclusion_excludes_and_says_so(engine: Engine) -> None:
    answer = search(engine, "red without blue")
    assert names(engine, answer)[0] == "rose"
    assert "flag" not in names(engine, answer)
    flag = next(r for r in answer.results if engine.photos([r.photo_id])[0].path.stem == "flag")
    assert flag.excluded
    blue = next(v for v in answer.results[0].verdicts if v.condition.text == "blue")
    assert blue.state.value == "absent"


def test_a_reference_outside_the_library_finds_its_like(engine: Engine, tmp_path: Path) -> None:
    outside = draw(tmp_path, Scene("other", "orange", "brown"))
    assert names(engine, search(engine, "", outside))[0] == "canyon"


def test_the_reference_is_not_its_own_answer(engine: Engine, folder: Path) -> None:
    answer = search(engine, "red, but without blue", folder / "flag.jpg")
    shown = [photo.path.stem for photo in engine.photos([r.photo_id for r in answer.results])]
    assert shown[0] == "rose"
    assert "flag" not in shown


def test_dates_and_places_are_understood(engine: Engine) -> None:
    assert set(names(engine, search(engine, "blue in October 2022"))) <= {"canyon", "sky", "night"}
    assert names(engine, search(engine, "blue in October 2022"))[0] == "sky"
    assert names(engine, search(engine, "blue near Arezzo"))[0] == "lake"


def test_nothing_matches_names_the_nearest_and_what_it_fails(engine: Engine) -> None:
    answer = search(engine, "blue in July 1999")
    assert answer.abstained
    assert answer.near_miss is not None
    assert any("1999" in failed for failed in answer.near_miss.failed)


def test_the_first_answer_comes_before_the_final_one(engine: Engine) -> None:
    first: list[SearchAnswer] = []
    query = ComposedQuery("green")
    final = engine.search(query, SearchOptions(), Progress(), first.append)
    assert [answer.stage for answer in first] == ["first"]
    assert final.stage == "final"
    assert names(engine, first[0])[0] == names(engine, final)[0] == "meadow"


def test_a_story_is_in_order_and_in_one_place(engine: Engine) -> None:
    brief = StoryBrief("a story of our trip to Moab")
    for strategy in ("weaver", "exact"):
        answer = engine.compose_story(brief, StoryOptions(strategy), Progress())
        bundle = answer.bundles[0]
        photos = engine.photos([member.photo_id for member in bundle.photos])
        assert {photo.path.stem for photo in photos} <= {"canyon", "sky", "night"}
        keys = [photo.facts.order_key for photo in photos]
        assert keys == sorted(keys, key=lambda key: key or 0.0)
        assert all(member.role for member in bundle.photos)


def test_the_timeline_holds_every_photo_once_newest_day_first(engine: Engine) -> None:
    sections = engine.timeline()
    shown = [photo_id for section in sections for photo_id in section.photo_ids]
    assert len(shown) == len(set(shown)) == len(SCENES)
    days = [section.day for section in sections if section.day]
    assert days == sorted(days, reverse=True)
    assert days[0] == date(2022, 10, 1)


def test_judgements_need_a_query_and_photos_of_the_library(engine: Engine, folder: Path) -> None:
    heard: list[LibraryChange] = []
    engine.on_change = heard.append
    answer = search(engine, "red")
    engine.judge(answer.query_id, [folder / "rose.jpg"], [folder / "lake.jpg"])
    assert heard == [LibraryChange.JUDGEMENTS]
    assert engine.library.judgements.count() == 2
    with pytest.raises(NotInLibrary):
        engine.judge(QueryId("never asked"), [folder / "rose.jpg"], [])
    with pytest.raises(NotInLibrary):
        engine.judge(answer.query_id, [folder / "nowhere.jpg"], [])


def test_wrong_questions_get_advice(engine: Engine, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EmptyQuery):
        search(engine, "  ")
    with pytest.raises(ReferenceUnreadable):
        search(engine, "", folder / "notes.txt")
    with pytest.raises(ReferenceUnreadable):
        search(engine, "", tmp_path / "nowhere.jpg")
    with pytest.raises(UnknownChoice):
        engine.search(ComposedQuery("red"), SearchOptions("no such"), Progress())
    with pytest.raises(UnknownChoice):
        engine.compose_story(StoryBrief("red"), StoryOptions("no such"), Progress())
    with pytest.raises(EmptyQuery):
        engine.compose_story(StoryBrief(" "), StoryOptions(), Progress())
    with pytest.raises(FolderMissing):
        engine.index([tmp_path / "nowhere"], Progress())


def test_an_empty_library_says_so(tmp_path: Path) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    with pytest.raises(LibraryEmpty):
        search(engine, "red")
    with pytest.raises(LibraryEmpty):
        engine.compose_story(StoryBrief("a story"), StoryOptions(), Progress())
    assert engine.timeline() == []
    engine.close()


def test_a_cancelled_run_keeps_what_it_has_and_the_next_one_ends_it(
    folder: Path, tmp_path: Path
) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        engine.index([folder], progress)
    report = engine.index([folder], Progress())
    assert report.added + report.unchanged == len(SCENES)
    engine.close()


def test_another_model_asks_for_another_look(folder: Path, tmp_path: Path) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    engine.index([folder], Progress())
    engine.close()
    renamed = fake_perception()
    renamed.encoder.name = "colours-2"  # type: ignore[misc]
    again = Engine.open(tmp_path / "library", Backends(lambda _: renamed, TinyGazetteer))
    with pytest.raises(LibraryEmpty, match="colours-2"):
        search(again, "red")
    report = again.index([folder], Progress())
    assert (report.added, report.embedded) == (0, len(SCENES))
    assert names(again, search(again, "green"))[0] == "meadow"
    again.close()


def test_undecoded_bytes_in_words_are_no_reason_to_fail(engine: Engine) -> None:
    words = os.fsdecode(b"red caf\xe9 \xff")
    answer = engine.search(ComposedQuery(words), SearchOptions(), Progress())
    assert answer.query_id
    engine.compose_story(StoryBrief(words, 2, 3), StoryOptions(), Progress())
    with pytest.raises(ReferenceUnreadable, match="not a file"):
        folder = ReferencePhoto(engine.library.paths.root)
        engine.search(ComposedQuery("red", folder), SearchOptions(), Progress())


def test_an_empty_question_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    empty = Engine.open(tmp_path)
    with pytest.raises(EmptyQuery):
        empty.search(ComposedQuery(" "), SearchOptions(), Progress())
    empty.close()
