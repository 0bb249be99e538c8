"""Nothing leaves the machine: a guard in every process denies connections to other hosts."""

import os
import subprocess
import sys
from pathlib import Path

from tests.core.pictures import Scene, draw

ROOT = Path(__file__).resolve().parents[2]
GUARD = """
import os, sys

def deny(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        target = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = target[0] if isinstance(target, tuple) else target
        if isinstance(target, (bytes, str)) and "get" not in event:
            return  # a socket of the file system
        if host in (None, "localhost", "::1") or str(host).startswith("127."):
            return
        with open(os.environ["GUARD_LOG"], "a") as log:
            log.write(f"{event} {target}\\n")
        raise PermissionError(f"denied: {event} {target}")

sys.addaudithook(deny)
"""


def guarded(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "guard").mkdir(exist_ok=True)
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "guard"), str(ROOT)]),
        "GUARD_LOG": str(tmp_path / "denied"),
    }
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )


def test_the_guard_denies_other_hosts_and_child_processes_too(tmp_path: Path) -> None:
    child = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=1)"
    parent = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {child!r}]))"
    assert guarded(tmp_path, "-c", parent).returncode != 0
    assert "192.0.2.1" in (tmp_path / "denied").read_text()


def test_index_search_and_story_connect_to_nothing(tmp_path: Path) -> None:
    for i, colour in enumerate(("red", "green", "blue")):
        draw(tmp_path / "photos", Scene(f"{i}", colour, "white", at=(48.2, 16.37)))
    library = ("--library", str(tmp_path / "library"))
    for words in (
        ("index", str(tmp_path / "photos")),
        ("search", "a red wall near Vienna, without people"),
        ("search", "the same but green", "--image", str(tmp_path / "photos" / "0.jpg")),
        ("story", "walls of Vienna"),
    ):
        done = guarded(tmp_path, "-m", "app", *words, *library)
        assert done.returncode == 0, done.stderr
    assert not (tmp_path / "denied").exists()
