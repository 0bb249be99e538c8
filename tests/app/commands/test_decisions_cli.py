"""Decisions on the command line, as a newcomer meets them, with the real starter models."""

import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.core.pictures import AREZZO, Scene, draw

GPX = """<?xml version="1.0"?><gpx version="1.1" creator="t"><trk><trkseg>
<trkpt lat="48.2" lon="16.3"><time>2021-07-05T07:55:00Z</time></trkpt>
<trkpt lat="48.4" lon="16.5"><time>2021-07-05T08:05:00Z</time></trkpt></trkseg></trk></gpx>"""


@dataclass(frozen=True)
class Run:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        assert document["schema"] == 1
        return document


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for hour in (9, 10, 11):
        when = datetime(2021, 7, 3, hour)
        draw(folder, Scene(f"{hour} wall", "red", "grey", when, AREZZO, "+02:00"))
    draw(folder, Scene("lake", "blue", "", datetime(2021, 7, 5, 10)))
    return folder


@pytest.fixture(scope="module")
def indexed(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert main(["index", str(photos), "--library", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], indexed: Path, tmp_path: Path) -> Any:
    library = tmp_path / "library"
    shutil.copytree(indexed, library)

    def call(*words: str | Path) -> Run:
        capfd.readouterr()
        try:
            code = main([*map(str, words), "--library", str(library)])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return Run(code, out, err)

    return call


def test_a_clock_is_listed_shifted_and_brought_back(run: Any, photos: Path) -> None:
    (only,) = run("clock", "--json").json["items"]
    assert (only["photos"], only["first"], only["last"]) == (
        4,
        "2021-07-03T09:00:00",
        "2021-07-05T10:00:00",
    )
    name = only["contributor"]
    assert name in run("clock").out
    words = ("clock", "shift", "--contributor", name, "--by", "-01:30", "--to", "2021-07-03")
    shifted = run(*words, "--json")
    assert shifted.code == 0
    assert shifted.json["photos"] == 3
    starts = [session["start"] for session in run("sessions", "--json").json["items"]]
    assert starts[0].startswith("2021-07-03T07:30:00")
    assert run("clock", "--json").json["items"][0]["corrected"] == 3
    assert "-01:30" in run("decisions").out
    assert "Taken back" in run("undo").out
    assert run("clock", "--json").json["items"][0]["corrected"] == 0
    assert run("decisions", "--json").json["items"] == []
    assert run("undo", "--json").json["undone"] is None
    assert "nothing to undo" in run("undo").out


def test_no_clock_is_proposed_without_evidence(run: Any) -> None:
    assert run("clock", "propose", "--json").json["items"] == []
    assert "No clock seems wrong" in run("clock", "propose").out


def test_a_track_places_what_has_no_position(run: Any, tmp_path: Path, photos: Path) -> None:
    track = tmp_path / "walk.gpx"
    track.write_text(GPX)
    trial = run("geotag", track, "--offset", "+02:00", "--dry-run", "--json").json
    assert trial["placed"] == 1
    assert trial["have_a_position"] == 3
    assert trial["decisions"] == []
    done = run("geotag", track, photos, "--offset", "+02:00", "--json")
    assert done.code == 0
    assert done.json["decisions"][0]["what"] == "1 photo: position from walk.gpx"
    assert "0 photos got" in run("geotag", track, "--offset", "+02:00").out
    places = [session["place"] for session in run("sessions", "--json").json["items"]]
    assert any("AT" in place for place in places)
    run("undo")
    none = run("geotag", track, "--clock-error", "+05:00", "--offset", "+02:00")
    assert "no point near" in none.out


def test_an_edit_is_listed_found_and_undone(run: Any, photos: Path) -> None:
    wall, lake = photos / "9 wall.jpg", photos / "lake.jpg"
    words = ["--title", "The old wall", "--rating", "4", "--add-tag", "Stones|Old"]
    done = run("edit", wall, lake, *words, "--person", "Ottilie", "--json")
    assert done.code == 0
    assert done.json["photos"] == 2
    assert [one["kind"] for one in done.json["decisions"]] == ["TagsSet", "TitleSet", "RatingSet"]
    assert run("edit", wall, "--remove-tag", "old").code == 0
    items = run("decisions", "--json").json["items"]
    assert items[0]["files"] == [str(wall), str(lake)]
    listed = run("decisions").out
    assert "9 wall.jpg, lake.jpg" in listed
    assert "title “The old wall”" in listed
    assert "tag “Stones|Old” removed" in listed
    assert run("edit", lake, "--at", "-33.868,151.207").code == 0
    assert run("edit", lake, "--kind", "scan", "--contributor", "Anna").code == 0
    assert {one["contributor"] for one in run("clock", "--json").json["items"]} > {"Anna"}
    for _ in range(7):
        assert run("undo").code == 0
    assert run("decisions", "--json").json["items"] == []


def test_a_place_gets_a_name_that_searches_know(run: Any, photos: Path) -> None:
    assert "named no place" in run("places").out
    named = run("places", "name", "Casa Verde", "--photo", photos / "9 wall.jpg", "--json")
    assert named.json["photos"] == 3
    (own,) = run("places", "list", "--json").json["items"]
    assert (own["name"], own["radius_km"], own["photos"]) == ("Casa Verde", 0.5, 3)
    answer = run("search", "a wall at Casa Verde", "--json").json
    assert {"state": "place", "polarity": "positive"}.items() <= next(
        part for part in answer["understood"] if part["state"] == "place"
    ).items()
    assert {Path(r["path"]).stem for r in answer["results"]} <= {"9 wall", "10 wall", "11 wall"}
    assert run("places", "forget", "Casa Verde").code == 0
    assert run("places", "--json").json["items"] == []


def test_home_is_set_for_a_time(run: Any) -> None:
    assert "No home is known" in run("home").out
    words = ("home", "set", "-33.868,151.207", "--from", "2020-01-01", "--to", "2022-12-31")
    assert run(*words, "--json").json["trips"] == 1
    (home,) = run("home", "show", "--json").json["items"]
    assert (home["latitude"], home["first"], home["last"]) == (-33.868, "2020-01-01", "2022-12-31")
    assert home["by_hand"]
    assert "Sydney" in home["near"]
    assert "2020-01-01" in run("home").out


def test_sessions_are_split_and_joined(run: Any, photos: Path) -> None:
    def count() -> int:
        return len(run("sessions", "--json").json["items"])

    before = count()
    assert run("sessions", "split", photos / "10 wall.jpg", "--json").json["sessions"] == before + 1
    assert count() == before + 1
    joined = run("sessions", "join", photos / "9 wall.jpg", photos / "lake.jpg")
    assert joined.code == 0
    assert count() == before
    run("undo")
    run("undo")
    assert count() == before


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (["clock", "shift", "--contributor", "nobody", "--by", "+01:00"], 1, "photoapp clock"),
        (["clock", "shift", "--contributor", "x", "--by", "1h"], 2, "+01:00"),
        (["clock", "shift", "--contributor", "x"], 2, "--by"),
        (
            ["clock", "shift", "--contributor", "x", "--by", "+1d", "--from", "1.7."],
            2,
            "2021-07-03",
        ),
        (["geotag", "/no/such/track.gpx"], 1, "cannot be read"),
        (["geotag", "{photos}/lake.jpg"], 1, "GPX"),
        (["geotag", "{photos}/lake.jpg", "--offset", "2"], 2, "+02:00"),
        (["edit", "{photos}/lake.jpg"], 1, "--title"),
        (["edit", "{photos}"], 1, "folder"),
        (["edit", "/no/such.jpg", "--rating", "1"], 1, "Index its folder"),
        (["edit", "{photos}/lake.jpg", "--rating", "6"], 2, "0 to 5"),
        (["edit", "{photos}/lake.jpg", "--add-tag", " "], 1, "name"),
        (["edit", "{photos}/lake.jpg", "--remove-tag", "cat"], 1, "Their tags"),
        (["edit", "{photos}/lake.jpg", "--contributor", "", "--title", "x"], 1, "name"),
        (["edit", "{photos}/lake.jpg", "--at", "95,0"], 2, "latitude"),
        (["edit", "{photos}/lake.jpg", "--kind", "painting"], 2, "invalid choice"),
        (["places", "name", "x"], 2, "--at"),
        (["places", "name", "x", "--photo", "{photos}/lake.jpg"], 1, "--at"),
        (["places", "name", "x", "--at", "1,2", "--radius", "0"], 2, "more than 0"),
        (["places", "name", "x", "--at", "1,2", "--radius", "900"], 1, "radius"),
        (["places", "forget", "x"], 1, "photoapp places"),
        (["home", "set"], 2, "LAT,LON"),
        (["sessions", "split"], 2, "FILE"),
        (["sessions", "join", "{photos}/lake.jpg", "{photos}/lake.jpg"], 1, "same photo"),
        (["home", "set", "here"], 2, "latitude,longitude"),
        (["home", "set", "1,2", "--from", "2021-01-02", "--to", "2021-01-01"], 1, "before"),
    ],
)
def test_mistakes_are_told_and_change_nothing(
    run: Any, photos: Path, words: list[str], code: int, hint: str
) -> None:
    told = run(*(word.replace("{photos}", str(photos)) for word in words), "--json")
    assert told.code == code
    error = told.json["error"]
    assert hint in error["message"] + error["advice"]
    assert "Traceback" not in told.err
    assert run("decisions", "--json").json["items"] == []


@pytest.mark.parametrize(
    "command",
    [
        "clock",
        "clock shift",
        "clock propose",
        "geotag",
        "places",
        "places name",
        "places list",
        "places forget",
        "home",
        "home set",
        "home show",
        "edit",
        "decisions",
        "undo",
        "sessions split",
        "sessions join",
    ],
)
@pytest.mark.parametrize("columns", ["30", "80", "200"])
def test_help_is_there_on_every_screen(
    command: str, columns: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    assert "usage: photoapp" in capfd.readouterr().out
