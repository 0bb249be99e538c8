"""The command line as a newcomer meets it, with the real starter models."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import skimage

from app.cli import main
from tests.core.pictures import Scene, draw

PICTURES = Path(skimage.__file__).parent / "data"


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


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str | Path) -> Run:
        capfd.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return Run(code, out, err)

    return call


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("my photos") / "été"
    folder.mkdir()
    for name in ("chelsea.png", "coffee.png", "rocket.jpg", "astronaut.png"):
        (folder / name).write_bytes((PICTURES / name).read_bytes())
    for hour in (9, 10, 11):
        draw(folder, Scene(f"wall-{hour}", "red", "grey", datetime(2021, 7, 3, hour)))
    (folder / "readme.txt").write_text("hello")
    return folder


@pytest.fixture(scope="module")
def library(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert main(["index", str(photos), "--library", str(folder), "--quiet"]) == 3
    return folder


def test_index_lists_what_it_skipped_and_a_second_run_is_idle(
    run: Any, photos: Path, library: Path
) -> None:
    again = run("--json", "index", photos, "--library", library)
    assert again.code == 3
    assert again.json["added"] == 0
    assert again.json["unchanged"] == 7
    assert again.json["skipped"] == [{"path": str(photos / "readme.txt"), "reason": "not_a_photo"}]
    assert again.json["failed"] == []
    assert set(again.json) >= {"changed", "removed", "offline", "seconds", "rate"}


def test_search_finds_the_cat_and_explains(run: Any, library: Path) -> None:
    found = run("search", "a cat", "--library", library, "--json", "--top", "3")
    assert found.code == 0
    answer = found.json
    assert Path(answer["results"][0]["path"]).name == "chelsea.png"
    assert len(answer["results"]) == 3
    assert [r["rank"] for r in answer["results"]] == [1, 2, 3]
    assert set(answer) >= {
        "query_id", "strategy", "understood", "abstained", "near_miss", "trajectory", "trace",
        "seconds",
    }  # fmt: skip
    for step in answer["trajectory"]["steps"]:
        assert set(step) == {"tool", "query", "polarity", "concept", "top_k", "found"}
    explained = run("search", "a cat", "--library", library, "--explain")
    assert "chelsea.png" in explained.out
    assert "image-text" in explained.out


def test_search_by_a_reference_photo(run: Any, library: Path) -> None:
    found = run("search", "--image", PICTURES / "coffee.png", "--library", library, "--json")
    assert found.code == 0
    assert found.json["results"]


@pytest.mark.parametrize("strategy", ["hybrid", "oscar", "embedding"])
def test_each_strategy_answers(run: Any, library: Path, strategy: str) -> None:
    found = run("search", "a cat", "--strategy", strategy, "--library", library, "--json")
    assert found.code == 0
    assert found.json["strategy"] == strategy
    assert Path(found.json["results"][0]["path"]).name == "chelsea.png"


def test_feedback_is_kept(run: Any, library: Path, photos: Path) -> None:
    query = run("search", "a cat", "--library", library, "--json").json["query_id"]
    wrong = (photos / "rocket.jpg", photos / "coffee.png")
    words = ("feedback", query, "--right", photos / "chelsea.png", "--wrong", *wrong)
    kept = run(*words, "--library", library, "--json")
    assert (kept.code, kept.json["right"], kept.json["wrong"]) == (0, 1, 2)


def test_a_story_is_told(run: Any, library: Path) -> None:
    told = run("story", "the red wall", "--size", "2-3", "--library", library, "--json")
    assert told.code == 0
    for bundle in told.json["bundles"]:
        assert 2 <= len(bundle["photos"]) <= 3
        assert set(bundle["photos"][0]) == {"path", "role", "taken_at", "place"}


@pytest.mark.parametrize("command", ["sessions", "trips", "problems"])
def test_lists(run: Any, library: Path, command: str) -> None:
    listed = run(command, "--library", library, "--json")
    assert listed.code == 0
    assert isinstance(listed.json["items"], list)
    assert run(command, "--library", library).code == 0


def test_sessions_say_what_split_them(run: Any, library: Path) -> None:
    items = run("sessions", "--library", library, "--json").json["items"]
    assert any(
        len(item["photos"]) == 3 and item["start"] == "2021-07-03T09:00:00" for item in items
    )
    assert all(item["split_by"] for item in items)


def test_stats_duplicates_models_and_doctor(run: Any, library: Path) -> None:
    assert run("stats", "--library", library, "--json").json["photos"] == 7
    assert isinstance(run("duplicates", "--library", library, "--json").json["groups"], list)
    assert any(i["name"] == "starter" for i in run("models", "list", "--json").json["items"])
    assert run("models", "verify", "starter").code == 0
    assert run("models", "use", "starter", "--library", library, "--json").json["encoders"] == []
    assert run("doctor", "--library", library).code == 0


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        ([], 2, "usage"),
        (["frobnicate"], 2, "invalid choice"),
        (["search", "x", "--top", "0"], 2, "at least 1"),
        (["search", "x", "--top", "many"], 2, "whole number"),
        (["story", "x", "--size", "9-3"], 2, "between"),
        (["story", "x", "--size", "lots"], 2, "3-5"),
        (["index"], 2, "DIR"),
        (["index", "/nowhere/at/all"], 1, "/nowhere/at/all"),
        (["search", ""], 1, "Write what you look for"),
        (["search", "x"], 1, "photoapp index"),
        (["search", "x", "--image", "/nowhere.jpg"], 1, "/nowhere.jpg"),
        (["search", "x", "--strategy", "pdf"], 1, "not in this version"),
        (["feedback", "unknown", "--right", "/x.jpg"], 1, ""),
        (["feedback", "unknown"], 1, "--right"),
        (["golden", "show"], 1, "not in this version"),
        (["models", "verify", "nonesuch"], 1, "nonesuch"),
        (["models", "use", "nonesuch"], 1, "nonesuch"),
        (["models", "use", "smollm2"], 1, "image-text"),
        (["models", "use"], 1, "models list"),
        (["--benchmark", "nonesuch"], 1, "smoke"),
    ],
)
def test_wrong_words_get_an_answer_that_helps(
    run: Any, tmp_path: Path, words: Sequence[str], code: int, hint: str
) -> None:
    ended = run(*words, *(["--library", str(tmp_path / "new")] if words else []))
    assert ended.code == code
    assert hint in ended.err
    assert "Traceback" not in ended.err


def test_errors_are_json_too(run: Any, tmp_path: Path) -> None:
    failed = run("search", "x", "--json", "--library", tmp_path / "new")
    assert failed.code == 1
    error = failed.json["error"]
    assert (error["kind"], bool(error["message"]), bool(error["advice"])) == (
        "LibraryEmpty", True, True,
    )  # fmt: skip


def test_an_empty_folder_is_said_so(run: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = run("index", tmp_path / "empty", "--library", tmp_path / "new")
    assert ended.code == 0
    assert "No photos" in ended.out


def test_text_of_file_names_cannot_steer_the_terminal(run: Any, tmp_path: Path) -> None:
    draw(tmp_path / "p", Scene("\x1b[31m[bold]name\n", "red"))
    library = tmp_path / "new"
    assert run("index", tmp_path / "p", "--library", library).code == 0
    shown = run("search", "a red wall", "--library", library)
    assert "\x1b" not in shown.out
    assert "[bold]" in shown.out.replace("\n", "")


def test_the_command_line_never_imports_qt() -> None:
    script = (
        "import sys, app.cli; app.cli.parser(); "
        "print('PySide6' in sys.modules, 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_ctrl_c_ends_an_indexing_run_with_130_and_loses_nothing(tmp_path: Path) -> None:
    for i in range(300):
        draw(tmp_path / "p", Scene(f"{i:03}", "red", "green"))
    command = [sys.executable, "-m", "app", "index", str(tmp_path / "p"), "--library",
               str(tmp_path / "library")]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    database = tmp_path / "library" / "library.sqlite"
    while not database.exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode in (130, 0)  # 0 only where it was faster than the signal
    assert "Traceback" not in err
    assert main([*command[3:], "--quiet"]) == 0
