"""What `photoapp` starts, and what it says where it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import window_wanted
from app.display import WindowUnavailable, demand_platform

ROOT = Path(__file__).resolve().parents[2]


START = "import sys; from app.__main__ import main; sys.exit(main({}))"


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([], (True, None)),
        (["--library", "/x"], (True, Path("/x"))),
        (["--library=/x"], (True, Path("/x"))),
        (["--library"], (False, None)),
        (["--library", "--json"], (False, None)),
        (["search", "dog"], (False, None)),
        (["--benchmark"], (False, None)),
        (["--help"], (False, None)),
        (["--library", "/x", "stats"], (False, None)),
    ],
)
def test_only_a_bare_start_opens_the_window(words, wanted):
    assert window_wanted(words) == wanted


def test_the_command_line_never_loads_qt():
    code = (
        "import sys, app.cli; print([m for m in sys.modules if 'PySide6' in m or 'shiboken' in m])"
    )
    done = python(code)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_headless_word_never_loads_qt():
    code = (
        "import sys, app.__main__ as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit as e: print('left', e.code)\n"
        "print([x for x in sys.modules if 'PySide6' in x or x == 'app.window'])"
    )
    done = python(code)
    assert "left 0" in done.stdout
    assert done.stdout.strip().endswith("[]")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are told by variables")
def test_no_display_is_told(tmp_path):
    done = python(START.format(["--library", str(tmp_path)]))
    assert done.returncode == 1
    assert "WindowUnavailable: There is no display" in done.stderr
    assert "photoapp --help" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are told by variables")
def test_a_display_that_does_not_answer_is_told():
    done = python(START.format([]), DISPLAY=":4711")
    assert done.returncode == 1
    assert "WindowUnavailable" in done.stderr


def test_a_missing_toolkit_is_told():
    code = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'PySide6':\n"
        "            raise ModuleNotFoundError('No module named PySide6', name='PySide6')\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from app.__main__ import main\n"
        "sys.exit(main([]))"
    )
    done = python(code, QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert "WindowUnavailable" in done.stderr
    assert "pip install photoapp[gui]" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the X11 plugin is Linux's")
def test_a_plugin_that_cannot_be_loaded_is_told(tmp_path, monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    (tmp_path / "platforms").mkdir()
    demand_platform(tmp_path)  # no such plugin: nothing to say
    (tmp_path / "platforms" / "libqxcb.so").write_bytes(b"no library")
    with pytest.raises(WindowUnavailable, match="X window system"):
        demand_platform(tmp_path)


def test_a_library_of_a_newer_version_is_told(tmp_path):
    (tmp_path / "library.sqlite").write_bytes(b"this is no database, but long enough" * 100)
    done = python(START.format(["--library", str(tmp_path)]), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert "LibraryDamaged" in done.stderr
    assert "Traceback" not in done.stderr
