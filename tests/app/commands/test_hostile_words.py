"""The command line under wrong words, odd outputs and names that steer terminals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.__main__ import window_wanted
from app.cli import main
from app.commands.terminal import Terminal
from app.commands.words import command_words
from tests.core.pictures import Scene, draw

pytestmark = pytest.mark.skipif(os.name == "nt", reason="file names of any bytes")


def photoapp(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        env=os.environ | environment, capture_output=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ["--json"],
        ["--json", "frobnicate"],
        ["index", "--json"],
        ["index", "", "--json"],
        ["stats", "--json", "--library", ""],
        ["stats", "--json", "--library", "~no-such-user-here/x"],
        ["stats", "--json", "--lib", "x"],
        ["search", "x", "--top", "1e3", "--json"],
        ["search", "x", "--image", "", "--json"],
        ["search", "--benchmark", "--json"],
        ["--benchmark", "--limit", "0", "--json"],
        ["story", "x", "--size", "1-2", "--json"],
    ],
)
def test_wrong_usage_is_one_json_object_too(
    words: list[str], capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert document["schema"] == 1
    assert document["error"]["kind"] == "WrongUsage"
    assert "usage: photoapp" in err
    assert "_word" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (["--benchmark", "smoke"], ["benchmark", "smoke"]),
        (["--json", "--benchmark"], ["--json", "benchmark"]),
        (["--library", "--benchmark", "stats"], ["--library", "--benchmark", "stats"]),
        (["--library", "x", "--benchmark"], ["--library", "x", "benchmark"]),
        (["search", "--benchmark"], ["search", "--benchmark"]),
        (["search", "--", "--benchmark"], ["search", "--", "--benchmark"]),
    ],
)
def test_benchmark_is_a_command_only_where_a_command_stands(
    words: list[str], read: list[str]
) -> None:
    assert command_words(words) == read


def test_an_empty_library_word_opens_no_window() -> None:
    assert window_wanted(["--library", ""]) == (False, None)
    assert window_wanted(["--library="]) == (False, None)


def test_a_version_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capfd.readouterr().out.startswith("photoapp ")


def test_a_reader_that_stops_is_no_error() -> None:
    command = f"{sys.executable} -m app models list --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_under_the_answer_is_said() -> None:
    command = f"{sys.executable} -m app models list > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_bytes_that_are_no_text_leave_json_that_any_reader_takes(tmp_path: Path) -> None:
    nowhere = Path(os.fsdecode(os.fsencode(tmp_path) + b"/ph\xff"))
    done = photoapp("index", nowhere, "--json", "--library", tmp_path / "lib")
    assert done.returncode == 1
    message = json.loads(done.stdout.decode("utf-8", "strict"))["error"]["message"]
    assert str(nowhere) in message


def test_an_output_of_another_encoding_gets_all_it_can_take(tmp_path: Path) -> None:
    words = ("index", tmp_path / "sümmer 📷", "--library", tmp_path / "lib")
    shown = photoapp(*words, PYTHONIOENCODING="ascii")
    assert b"Traceback" not in shown.stderr
    told = photoapp(*words, "--json", PYTHONIOENCODING="ascii")
    assert "sümmer 📷" in json.loads(told.stdout.decode("ascii"))["error"]["message"]


def test_names_are_shown_whole_and_harmless(capfd: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal.make(as_json=False, quiet=True)
    long = "/photos/" + "x" * 300
    shot = "Screen\N{NARROW NO-BREAK SPACE}Shot 👩\N{ZERO WIDTH JOINER}👧.png"
    cells = [long, shot, "a\x1b[31mb\x07\x9b\u202egnp.exe\udcff", "[bold]no markup[/bold]"]
    terminal.table(("file", "end"), [(cell, "end") for cell in cells])
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 1 + len(cells)
    assert lines[1].split() == [long, "end"]
    assert shot in lines[2]
    assert not set(lines[3]) & set("\x1b\x07\x9b\u202e\udcff")
    assert cells[3] in lines[4]


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\x00" + b"x" * 5000])
def test_doctor_tells_of_a_damaged_library_what_to_do(
    content: bytes, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "library.sqlite").write_bytes(content)
    assert main(["doctor", "--json", "--library", str(tmp_path)]) == 3
    (item,) = json.loads(capfd.readouterr().out)["items"]
    assert item["ok"] is False
    assert "index the folders again" in item["detail"]
    assert main(["stats", "--json", "--library", str(tmp_path)]) == 1
    assert json.loads(capfd.readouterr().out)["error"]["kind"] == "LibraryDamaged"
    assert (tmp_path / "library.sqlite").read_bytes() == content


def test_ctrl_c_reaches_a_whole_group_and_ends_it_quietly(tmp_path: Path) -> None:
    for i in range(300):
        draw(tmp_path / "p", Scene(f"{i:03}", "red", "green"))
    command = [sys.executable, "-m", "app", "index", tmp_path / "p", "--json", "--library",
               tmp_path / "library"]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    family = psutil.Process(process.pid)
    while not (children := family.children(recursive=True)) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert json.loads(out)["error"]["kind"] == "Cancelled"
    assert b"Traceback" not in err
    assert psutil.wait_procs(children, timeout=10)[1] == []
