"""Folders come into the library, runs are cut short and go on, the window closes."""

import os
import signal
from contextlib import closing

import psutil
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QLabel

from app.signals import SignalWatch
from app.tasks.runner import Lane
from core.engine import Engine
from tests.app.windows import WAIT_MS, drop
from tests.core.pictures import FAKES, Scene, draw


def test_an_empty_library_says_what_to_do_next(open_window, tmp_path, qtbot):
    window = open_window(tmp_path / "library")
    screen = window.library_screen
    assert screen.empty.isVisible()
    screen.add_wanted.disconnect()  # no dialog in a test
    with qtbot.waitSignal(screen.add_wanted, timeout=WAIT_MS):
        qtbot.mouseClick(screen.empty.focusProxy(), Qt.MouseButton.LeftButton)


def test_adding_a_folder_fills_the_grid_and_lists_problems(open_window, tmp_path, photos, qtbot):
    window = open_window(tmp_path / "library")
    with qtbot.waitSignal(window.library.indexed, timeout=WAIT_MS):
        window.index([photos])
        assert window.strip.isVisible()
    qtbot.waitUntil(lambda: window.library_screen.model.rowCount() == 7, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not window.strip.isVisible(), timeout=WAIT_MS)
    assert window.library_screen.grid.isVisible()
    assert "7" in window.messages.message
    assert window.problems.model.rowCount() == 1
    assert window.problems.model.index(0, 0).data() == "torn.jpg"
    assert [s.count for s in window.library_screen.model.sections] == [2, 1, 1, 3]


def test_problems_are_read_again_though_nothing_seems_changed(open_window, tmp_path, qtbot):
    torn = tmp_path / "photos" / "torn.jpg"
    torn.parent.mkdir()
    whole = draw(tmp_path / "elsewhere", Scene("torn", "green")).read_bytes()
    torn.write_bytes(bytes(len(whole)))
    window = open_window(tmp_path / "library")
    with qtbot.waitSignal(window.library.indexed, timeout=WAIT_MS):
        window.index([torn.parent])
    qtbot.waitUntil(lambda: window.problems.model.rowCount() == 1, timeout=WAIT_MS)
    before = torn.stat()
    torn.write_bytes(whole)
    os.utime(torn, ns=(before.st_atime_ns, before.st_mtime_ns))
    with qtbot.waitSignal(window.library.indexed, timeout=WAIT_MS):
        window.problems.retry_wanted.emit()
    qtbot.waitUntil(lambda: window.problems.model.rowCount() == 0, timeout=WAIT_MS)


def test_a_missing_folder_is_told_with_advice(open_window, tmp_path, qtbot):
    window = open_window(tmp_path / "library")
    with qtbot.waitSignal(window.runner.failed, timeout=WAIT_MS):
        window.index([tmp_path / "nowhere"])
    assert window.messages.isVisible()
    assert window.messages.message
    assert window.messages.advice
    assert window.errors.dialog is None
    assert window.library_screen.empty.isVisible()


def test_what_runs_is_said_while_the_library_is_still_empty(open_window, tmp_path, photos, qtbot):
    window = open_window(tmp_path / "library")
    window.index([photos])
    texts = [label.text() for label in window.library_screen.empty.findChildren(QLabel)]
    window.library.load()
    qtbot.waitUntil(lambda: not window.runner.running(Lane.QUERY), timeout=WAIT_MS)
    if window.runner.running(Lane.LIBRARY) and not window.library_screen.model.rowCount():
        now = [label.text() for label in window.library_screen.empty.findChildren(QLabel)]
        assert now == texts


def test_a_run_that_was_cut_short_can_go_on(open_window, tmp_path, photos, qtbot):
    with closing(Engine.open(tmp_path / "library", FAKES)) as engine:
        engine.library.facts.put_root(photos, offline=False)
    window = open_window(tmp_path / "library")
    with qtbot.waitSignal(window.library.indexed, timeout=WAIT_MS):
        qtbot.mouseClick(window.library_screen.empty.focusProxy(), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.library_screen.model.rowCount() == 7, timeout=WAIT_MS)


def test_closing_while_photos_are_added_leaves_nothing_behind(open_window, tmp_path, qtbot):
    folder = tmp_path / "photos"
    for number in range(60):
        draw(folder, Scene(f"{number:02}", "red"), (64 + number, 64))
    window = open_window(tmp_path / "library")
    window.index([folder])
    count = window.library_screen.model.rowCount
    qtbot.waitUntil(lambda: window.engine.library.photos.count() > 0, timeout=WAIT_MS)
    window.close()
    assert window.stopped
    assert not window.isVisible()
    assert count() < 60
    children = (" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True))
    assert not any("spawn_main" in words for words in children)
    kept = window.engine.library.photos.count()
    assert 0 < kept <= 60


@pytest.mark.skipif(os.name == "nt", reason="signals are not on Windows")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_window(qtbot, kind):
    closed = []
    watch = SignalWatch(lambda: closed.append(kind))
    os.kill(os.getpid(), kind)
    qtbot.waitUntil(lambda: closed == [kind], timeout=WAIT_MS)
    watch.stop()
    assert signal.getsignal(kind) is not None


def test_cancelling_an_index_run_is_silent(open_window, tmp_path, photos, qtbot):
    window = open_window(tmp_path / "library")
    with qtbot.waitSignal(window.runner.settled, timeout=WAIT_MS):
        window.index([photos])
        window.strip.cancel_wanted.emit()
    assert not window.messages.isVisible()
    assert window.errors.dialog is None


def test_folders_dropped_on_the_library_are_added(window, qtbot, photos, monkeypatch):
    data, added = QMimeData(), []
    data.setUrls([QUrl.fromLocalFile(str(photos)), QUrl.fromLocalFile(str(photos / "rose.jpg"))])
    monkeypatch.setattr(window.library, "index", added.append)
    drop(window.library_screen, data)
    assert added == [[photos]]
