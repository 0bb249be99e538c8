"""Pairs through whole runs: one item, followed when a part of it changes, none ever lost."""

import json
import os
import shutil
from pathlib import Path

import pytest

from core.domain.photo import CompanionRole, Photo
from core.domain.problem import ProblemReason
from core.domain.tag import TagKind
from tests.core.ingest.houses import House

XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmp:Rating="4"><dc:subject><rdf:Bag><rdf:li>{}</rdf:li></rdf:Bag></dc:subject>
 </rdf:Description></rdf:RDF></x:xmpmeta>"""


def companions(photo: Photo) -> dict[str, CompanionRole]:
    return {one.stamp.path.name: one.role for one in photo.companions}


def copy(house: House, name: str, to: str) -> Path:
    return Path(shutil.copy(house.photos / name, house.photos / to))


def edit(house: House, name: str) -> None:
    """Another picture in a file of that name."""
    house.draw(f"other-{name}")
    (house.photos / f"other-{name}.jpg").rename(house.photos / name)


def test_an_original_and_its_edit_are_one_item(house: House) -> None:
    house.draw("a", "b")
    edit(house, "a-edited.jpg")
    (house.photos / "a.jpg.json").write_text("{}")
    (house.photos / "a.aae").write_text("<plist/>")
    report = house.index()
    assert (report.added, report.problems) == (2, ())
    assert house.names() == ["a-edited.jpg", "b.jpg"]
    assert companions(house.at("a-edited.jpg")) == {
        "a.jpg": CompanionRole.ORIGINAL,
        "a.jpg.json": CompanionRole.TAKEOUT,
        "a.aae": CompanionRole.SIDECAR,
    }
    assert house.index().unchanged == 2
    (house.photos / "a-edited.jpg").unlink()
    report = house.index()
    assert (report.added, report.removed) == (1, 1)
    assert house.names() == ["a.jpg", "b.jpg"]


def test_what_was_an_item_becomes_a_companion_and_back(house: House) -> None:
    house.draw("a")
    house.index()
    before = house.at("a.jpg")
    edit(house, "a-edited.jpg")
    report = house.index()
    assert (report.added, report.removed, house.names()) == (1, 1, ["a-edited.jpg"])
    (house.photos / "a-edited.jpg").unlink()
    report = house.index()
    assert (report.added, report.embedded) == (1, 0)
    assert house.at("a.jpg") == before


def test_a_damaged_main_file_leaves_its_companions_to_stand_alone(house: House) -> None:
    house.draw("a", "b")
    (house.photos / "a-edited.jpg").write_bytes(b"x")
    report = house.index()
    assert [(p.path.name, p.reason) for p in report.problems] == [
        ("a-edited.jpg", ProblemReason.DAMAGED)
    ]
    assert house.names() == ["a.jpg", "b.jpg"], "in the same run"
    report = house.index()
    assert (report.unchanged, report.added, report.removed) == (2, 0, 0), "and it stays so"
    (house.photos / "a-edited.jpg").unlink()
    edit(house, "a-edited.jpg")
    report = house.index()
    assert (house.names(), report.problems) == (["a-edited.jpg", "b.jpg"], ())


def test_an_edit_that_is_damaged_later_gives_the_original_back(house: House) -> None:
    house.draw("a")
    edit(house, "a-edited.jpg")
    house.index()
    (house.photos / "a-edited.jpg").write_bytes(b"x")
    house.index()
    assert house.names() == ["a.jpg"]


def test_an_empty_main_file_leaves_its_companions_too(house: House) -> None:
    house.draw("a")
    (house.photos / "a-edited.jpg").touch()
    report = house.index()
    assert house.names() == ["a.jpg"]
    assert [p.reason for p in report.problems] == [ProblemReason.EMPTY]


def test_a_sidecar_that_comes_changes_and_goes_is_read_and_nothing_is_looked_at(
    house: House,
) -> None:
    house.draw("a", "b")
    house.index()
    photo = house.at("a.jpg")
    sidecar = house.photos / "a.xmp"
    sidecar.write_text(XMP.format("regatta"))
    report = house.index()
    assert (report.changed, report.unchanged, report.embedded, report.problems) == (1, 1, 0, ())
    after = house.at("a.jpg")
    assert (after.id, after.facts.rating, after.facts.keywords) == (photo.id, 4, ("regatta",))
    assert "regatta" in house.words(after)
    found = [photo_id for photo_id, _ in house.library.profiles.match(["regatta"], 9)]
    assert found == [photo.id]
    assert house.index().unchanged == 2
    sidecar.write_text(XMP.format("harbour"))
    os.utime(sidecar, (5, 5))
    house.index()
    assert house.library.profiles.match(["regatta"], 9) == []
    assert house.at("a.jpg").facts.keywords == ("harbour",)
    sidecar.unlink()
    assert house.index().changed == 1
    assert house.at("a.jpg").facts == photo.facts
    assert house.encoder.looked_at == 2


def test_one_file_about_an_album_is_about_all_its_photos(house: House) -> None:
    house.draw("a", "b")
    (house.photos / "metadata.json").write_text(json.dumps({"title": "Summer of boats"}))
    assert house.index().problems == ()
    for name in ("a.jpg", "b.jpg"):
        (tag,) = house.at(name).facts.tags
        assert (tag.kind, tag.name) == (TagKind.ALBUM, "Summer of boats")
    assert house.index().unchanged == 2


def test_a_photo_in_two_albums_is_in_both_whatever_is_read_again(house: House) -> None:
    house.draw("one/a")
    (house.photos / "two").mkdir()
    copy(house, "one/a.jpg", "two/a.jpg")
    for name in ("one", "two"):
        (house.photos / name / "metadata.json").write_text(json.dumps({"title": name}))
    report = house.index()
    assert (report.added, report.embedded) == (2, 1)
    assert set(house.at("one/a.jpg").facts.keywords) == {"one", "two"}
    os.utime(house.photos / "one" / "metadata.json", (7, 7))
    house.index()
    assert set(house.at("one/a.jpg").facts.keywords) == {"one", "two"}


def test_a_sidecar_of_nothing_is_listed(house: House) -> None:
    house.draw("a")
    (house.photos / "b.xmp").write_text(XMP.format("x"))
    (problem,) = house.index().problems
    assert (problem.path.name, problem.reason) == ("b.xmp", ProblemReason.NOT_A_PHOTO)
    copy(house, "a.jpg", "b.jpg")
    assert house.index().problems == (), "it has found its photo"


def test_a_film_beside_a_photo_is_no_live_video_when_it_is_long(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.draw("a")
    (house.photos / "a.mov").write_bytes(bytes(100))
    house.index()
    assert companions(house.at("a.jpg")) == {"a.mov": CompanionRole.LIVE}
    monkeypatch.setattr("core.ingest.folders.scan._LIVE_BYTES", 99)
    report = house.index()
    assert [p.path.name for p in report.problems] == ["a.mov"], "an item of its own: damaged"
    assert companions(house.at("a.jpg")) == {}
