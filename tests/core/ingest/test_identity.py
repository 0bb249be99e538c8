"""A photo is its content: what moves, is renamed, tagged or copied is not looked at again."""

import io
import os
import shutil
import unicodedata
from pathlib import Path

import piexif
import pytest
from PIL import Image

from core.backends.fakes import TinyGazetteer, fake_perception
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.decision import TitleSet
from core.domain.photo import Photo
from core.ingest.decisions.corrections import World
from core.ingest.decisions.decide import Desk, decide
from core.ingest.identity import plan_batch
from core.progress import Progress
from tests.core.ingest.houses import ONE_WORKER, House


def retag(path: Path, to: Path | None = None, title: str = "Boats at noon") -> None:
    """The same pixels with another description."""
    exif = piexif.load(str(path))
    exif["0th"][piexif.ImageIFD.ImageDescription] = title.encode()
    new = io.BytesIO()
    piexif.insert(piexif.dump(exif), path.read_bytes(), new)
    (to or path).write_bytes(new.getvalue())


def vector_of(house: House, photo: Photo) -> list[float]:
    found, vectors = house.library.vectors.of("colours-1", [photo.id])
    assert found == [photo.id]
    return [float(x) for x in vectors[0]]


def test_new_metadata_in_place_keep_the_photo_and_all_that_is_known(house: House) -> None:
    house.draw("a", "b")
    house.index()
    before = house.at("a.jpg")
    seen = vector_of(house, before)
    retag(house.photos / "a.jpg")
    report = house.index()
    assert (report.added, report.changed, report.removed, report.embedded) == (0, 1, 0, 0)
    after = house.at("a.jpg")
    assert after.id == before.id
    assert after.facts.title == "Boats at noon"
    assert after.facts.content_hash != before.facts.content_hash
    assert vector_of(house, after) == seen
    assert "Boats at noon" in house.words(after) and "blue" in house.words(after)
    assert house.library.paths.thumbnail(after.facts.content_hash).exists()
    assert not house.library.paths.thumbnail(before.facts.content_hash).exists()
    assert house.index().unchanged == 2
    assert house.library.database.check() == []


def test_what_the_user_decided_holds_over_new_metadata(house: House) -> None:
    house.draw("a")
    house.index()
    photo = house.at("a.jpg")
    desk = Desk(house.library, World(TinyGazetteer(), ZoneFinder()), ONE_WORKER.sessions, 0.5)
    decide(desk, TitleSet((photo.id,), "Mine"), Progress())
    retag(house.photos / "a.jpg")
    house.index()
    assert house.at("a.jpg").facts.title == "Mine"
    assert house.library.decisions.recorded([photo.id])[photo.id].title == "Boats at noon"


def test_a_retagged_copy_elsewhere_takes_over_what_was_seen(house: House) -> None:
    house.draw("a")
    house.index()
    retag(house.photos / "a.jpg", house.photos / "copy.jpg")
    report = house.index()
    assert (report.added, report.embedded) == (1, 0)
    one, other = house.at("a.jpg"), house.at("copy.jpg")
    assert one.id != other.id and (one.facts.title, other.facts.title) == ("", "Boats at noon")
    assert vector_of(house, one) == vector_of(house, other)
    assert "Boats" in house.words(other) and "Boats" not in house.words(one)
    assert house.library.vectors.counts() == {"colours-1": 2, "colours-1+colours-1": 2}


def test_retagged_copies_of_one_run_are_looked_at_once(house: House) -> None:
    house.draw("a")
    for name in ("b", "c"):
        retag(house.photos / "a.jpg", house.photos / f"{name}.jpg", name)
    report = house.index()
    assert (report.added, report.embedded, house.library.photos.count()) == (3, 1, 3)


def test_one_of_two_equal_files_that_is_retagged_is_another_photo(house: House) -> None:
    house.draw("a")
    shutil.copy(house.photos / "a.jpg", house.photos / "b.jpg")
    house.index()
    before = house.at("a.jpg")
    retag(house.photos / "a.jpg")
    report = house.index()
    assert (report.changed, report.embedded) == (1, 0)
    assert house.at("b.jpg").id == before.id != house.at("a.jpg").id


def test_a_turned_picture_is_looked_at_again_and_stays_the_same_photo(house: House) -> None:
    house.draw("a")
    house.index()
    before = house.at("a.jpg")
    exif = piexif.load(str(house.photos / "a.jpg"))
    exif["0th"][piexif.ImageIFD.Orientation] = 6
    piexif.insert(piexif.dump(exif), str(house.photos / "a.jpg"))
    report = house.index()
    after = house.at("a.jpg")
    assert (after.id, report.embedded) == (before.id, 1)
    assert (after.facts.width, after.facts.height) == (before.facts.height, before.facts.width)


def test_other_pixels_in_place_are_another_photo(house: House) -> None:
    house.draw("a")
    house.index()
    before = house.at("a.jpg")
    Image.new("RGB", (96, 64), "green").save(house.photos / "a.jpg")
    assert house.index().embedded == 1
    assert house.at("a.jpg").id != before.id


def test_moved_files_are_not_decoded_and_keep_their_ids(house: House) -> None:
    house.draw("a", "sub/b")
    house.index()
    ids = house.library.photos.ids()
    (house.photos / "sub").rename(house.photos / "other")
    (house.photos / "a.jpg").rename(house.photos / "Ä.jpg")
    report = house.index()
    assert (report.added, report.removed, report.embedded) == (2, 2, 0)
    assert house.library.photos.ids() == ids and house.names() == ["b.jpg", "Ä.jpg"]


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_name_in_another_unicode_form_is_a_rename(house: House, forms: tuple[str, ...]) -> None:
    first, second = (unicodedata.normalize(form, "Été/Ärmel.jpg") for form in forms)
    house.draw("x")
    (house.photos / first).parent.mkdir()
    (house.photos / "x.jpg").rename(house.photos / first)
    house.index()
    before = house.at(first)
    (house.photos / second).parent.mkdir()
    (house.photos / first).rename(house.photos / second)
    report = house.index()
    assert (report.added, report.removed, report.unchanged) == (0, 0, 1), "and it was not read"
    assert house.at(second).id == before.id
    assert house.names() == [unicodedata.normalize(forms[1], "Ärmel.jpg")]


def test_two_files_whose_names_compare_equal_are_two(house: House) -> None:
    house.draw("a", "b")
    for old, form in (("a", "NFC"), ("b", "NFD")):
        (house.photos / f"{old}.jpg").rename(house.photos / unicodedata.normalize(form, "é.jpg"))
    assert house.index().added == 2 and house.library.photos.count() == 2
    assert house.index().unchanged == 2


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_of_no_encoding_are_kept_as_bytes(house: House) -> None:
    house.draw("a")
    name = os.fsdecode(b"b\xff\xfe.jpg")
    (house.photos / "a.jpg").rename(house.photos / name)
    assert house.index().added == 1
    assert house.names() == [name]
    assert house.index().unchanged == 1


def test_content_that_comes_back_is_not_looked_at_again(house: House) -> None:
    house.draw("a", "b")
    kept = (house.photos / "a.jpg").read_bytes()
    house.index()
    photo = house.at("a.jpg")
    (house.photos / "a.jpg").unlink()
    house.index()
    (house.photos / "again.jpg").write_bytes(kept)
    report = house.index()
    assert (report.added, report.embedded) == (1, 0)
    assert house.at("again.jpg").id == photo.id


def test_content_that_comes_back_under_other_models_is(house: House) -> None:
    house.draw("a", "b")
    kept = (house.photos / "a.jpg").read_bytes()
    house.index()
    (house.photos / "a.jpg").unlink()
    house.encoder.name = "colours-2"
    assert house.index().embedded == 1
    (house.photos / "a.jpg").write_bytes(kept)
    assert house.index().embedded == 1


def test_an_empty_batch_has_an_empty_plan(house: House) -> None:
    assert plan_batch([], house.library, fake_perception()).new == []
