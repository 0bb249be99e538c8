"""Copies, sidecars and the trash on the command line; and folders that are watched."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from core.engine import Engine
from core.progress import Progress
from tests.core.pictures import FAKES, SCENES, Scene, draw

WAIT_S = 120.0


@dataclass(frozen=True)
class Run:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    def call(*words: str | Path) -> Run:
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Run(code, *capfd.readouterr())

    return call


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    for scene in SCENES[:3]:
        draw(tmp_path / "photos", scene)
    return tmp_path / "photos"


@pytest.fixture
def library(tmp_path: Path, photos: Path) -> Path:
    with closing(Engine.open(tmp_path / "library", FAKES)) as engine:
        engine.index([photos], Progress())
    return tmp_path / "library"


def test_export_says_what_it_made(run, photos: Path, library: Path, tmp_path: Path) -> None:
    words = ["export", photos / "rose.jpg", photos / "lake.jpg", "--to", tmp_path / "out"]
    done = run(*words, "--library", library)
    assert done.code == 0
    assert done.out.splitlines() == [str(tmp_path / "out" / n) for n in ("rose.jpg", "lake.jpg")]
    again = run(*words, "--library", library, "--json", "--keep-private")
    assert [Path(c["copy"]).name for c in again.json["copies"]] == ["rose (2).jpg", "lake (2).jpg"]
    assert b"Test" not in (tmp_path / "out" / "rose.jpg").read_bytes()
    assert (tmp_path / "out" / "rose (2).jpg").read_bytes() == (photos / "rose.jpg").read_bytes()


def test_export_of_what_is_not_there_is_listed(run, photos: Path, library: Path, tmp_path: Path):
    (photos / "rose.jpg").unlink()
    done = run("export", photos / "rose.jpg", "--to", tmp_path / "out", "--library", library)
    assert done.code == 3
    assert "not copied" in done.out
    bad = run("export", photos / "lake.jpg", "--to", library / "x", "--library", library, "--json")
    assert (bad.code, bad.json["error"]["kind"]) == (1, "FolderUnwritable")


def test_sidecars_are_named_and_written_when_asked(run, photos: Path, library: Path) -> None:
    named = run("sidecars", "--all", "--library", library)
    assert named.code == 0
    assert str(photos / "rose.jpg.xmp") in named.out
    assert not (photos / "rose.jpg.xmp").exists()
    done = run("sidecars", photos / "rose.jpg", "--write", "--library", library, "--json")
    assert done.json["written"] == [str(photos / "rose.jpg.xmp")]
    assert (photos / "rose.jpg.xmp").exists()
    assert run("sidecars", "--library", library).code == 2


def test_trash_asks_first(run, photos: Path, library: Path) -> None:
    refused = run("trash", photos / "rose.jpg", "--library", library)
    assert refused.code == 2
    assert "--yes" in refused.err
    assert run("trash", photos / "rose.jpg", "--library", library, "--json").code == 2
    assert (photos / "rose.jpg").exists()


def test_no_is_no(run, photos: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = pty.openpty()
    with os.fdopen(far, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(near, b"n\n")
        refused = run("trash", photos / "rose.jpg", "--library", library)
    os.close(near)
    assert refused.code == 130
    assert "Move 1 file to the trash?" in refused.err
    assert (photos / "rose.jpg").exists()


def test_trash_goes_to_the_trash_of_the_desktop(photos: Path, library: Path, tmp_path: Path):
    """In a process of its own, on a terminal: where the trash is is read from the environment."""
    (tmp_path / "home").mkdir()
    environment = {**os.environ, "HOME": str(tmp_path / "home")}
    environment.pop("XDG_DATA_HOME", None)
    near, far = pty.openpty()
    os.write(near, b"y\n")
    words = ["trash", str(photos / "rose.jpg"), "--library", str(library)]
    done = subprocess.run(
        [sys.executable, "-m", "app", *words], env=environment, stdin=far, check=False,
        timeout=WAIT_S, capture_output=True,
    )  # fmt: skip
    os.close(near), os.close(far)
    assert done.returncode == 0, done.stderr
    assert not (photos / "rose.jpg").exists()
    trash = tmp_path / "home" / ".local" / "share" / "Trash"
    assert (trash / "files" / "rose.jpg").exists()
    assert (trash / "info" / "rose.jpg.trashinfo").exists()


def test_watching_prints_a_line_a_batch_and_ends_at_ctrl_c(tmp_path: Path, run) -> None:
    draw(tmp_path / "photos", Scene("rose", "red"))
    words = ["index", tmp_path / "photos", "--watch", "--library", tmp_path / "library"]
    refused = run(*words, "--json")
    assert (refused.code, refused.json["error"]["kind"]) == (2, "WrongUsage")
    command = [sys.executable, "-u", "-m", "app", *map(str, words)]
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
    try:
        wait_for(lambda: "Watching for changes" in (tmp_path / "err").read_text())
        draw(tmp_path / "photos" / "new", Scene("lake", "blue"))
        wait_for(lambda: (tmp_path / "out").read_text().rstrip().endswith("1 added"))
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 130
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in (tmp_path / "err").read_text()


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)
