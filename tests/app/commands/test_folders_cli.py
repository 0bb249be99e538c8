"""Folders and problems on the command line: followed, forgotten and read again on request."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.core.pictures import Scene, draw


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    def call(*words: str | Path) -> tuple[int, dict[str, Any]]:
        capfd.readouterr()
        shared = ["--library", str(tmp_path / "library"), "--json", "--quiet"]
        code = main([*map(str, words), *shared])
        document: dict[str, Any] = json.loads(capfd.readouterr().out)
        assert document.pop("schema") == 1
        return code, document

    return call


def test_folders_are_followed_and_forgotten_and_problems_read_again(
    tmp_path: Path, run: Any
) -> None:
    photos = tmp_path / "photos"
    for name in ("a", "b", "sub/c"):
        draw(photos, Scene(name, "red", "blue"))
    (photos / "d.jpg").write_bytes(b"x")
    assert run("index", photos)[1]["notes"] == []
    code, document = run("folders")
    assert (code, document) == (0, {"items": [{"path": str(photos), "offline": False}]})

    (_, before), (_, after) = run("problems"), run("problems", "--retry")
    assert [item["path"] for item in after["items"]] == [str(photos / "d.jpg")]
    assert set(before["items"][0]) == {"path", "reason", "detail", "since"}
    draw(photos, Scene("d", "green"))
    assert run("problems", "--retry") == (0, {"items": []})
    assert run("problems", "--retry") == (0, {"items": []}), "there is nothing to read again"

    moved = photos.rename(tmp_path / "moved")
    code, document = run("index", moved)
    assert (code, document["unchanged"], document["embedded"]) == (0, 4, 0)
    assert len(document["notes"]) == 1

    code, document = run("folders", "--forget", tmp_path)
    assert (code, document["error"]["kind"]) == (1, "NotInLibrary")
    code, document = run("folders", "--forget", moved / "sub", "--purge")
    assert (document["forgotten_files"], document["forgotten_photos"]) == (1, 1)
    assert run("stats")[1]["photos"] == 3
    _, document = run("folders", "--forget", moved)
    assert document == {"items": [], "forgotten_files": 3, "forgotten_photos": 0}
    assert sorted(path.name for path in moved.rglob("*.jpg")) == [
        "a.jpg",
        "b.jpg",
        "c.jpg",
        "d.jpg",
    ]
