"""The window watches its folders: photos come and go by themselves, searches come first."""

import shutil
import threading
import time

import psutil
import pytest
from PySide6.QtCore import Qt

from app.library.report import polled_in_words
from app.tasks.runner import Lane
from app.tasks.task import Task
from core.engine import Engine
from core.ingest.watching import ear
from core.ingest.watching.ear import WhyPolled
from core.ingest.watching.watcher import Polled
from core.progress import Progress
from core.store.database import Database
from tests.app.windows import WAIT_MS
from tests.core.pictures import FAKES, SCENES, Scene, draw


@pytest.fixture
def own_photos(tmp_path):
    for scene in SCENES[:3]:
        draw(tmp_path / "photos", scene)
    return tmp_path / "photos"


@pytest.fixture
def library(tmp_path, own_photos):
    engine = Engine.open(tmp_path / "library", FAKES)
    engine.index([own_photos], Progress())
    engine.close()
    return tmp_path / "library"


def count(window) -> int:
    return window.library_screen.model.rowCount()


def test_photos_come_and_go_by_themselves(open_window, library, own_photos, qtbot):
    window = open_window(library, watching=True)
    assert count(window) == 3
    qtbot.wait(1500)  # the first look: nothing changed, nothing is said
    assert not window.strip.isVisible()
    assert not window.messages.isVisible()
    draw(own_photos / "new", Scene("meadow", "green"))
    qtbot.waitUntil(lambda: count(window) == 4, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "1 photo added" in window.strip.detail, timeout=WAIT_MS)
    assert window.strip.isVisible()
    assert not window.messages.isVisible(), "quietly"
    shutil.rmtree(own_photos / "new")
    qtbot.waitUntil(lambda: count(window) == 3, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "1 removed" in window.strip.detail, timeout=WAIT_MS)


def test_what_changed_while_the_window_was_closed_is_found(open_window, library, own_photos, qtbot):
    draw(own_photos, Scene("meadow", "green"))
    window = open_window(library, watching=True)
    qtbot.waitUntil(lambda: count(window) == 4, timeout=WAIT_MS)


def test_a_folder_that_is_added_is_watched_from_then_on(open_window, tmp_path, own_photos, qtbot):
    window = open_window(tmp_path / "library", watching=True)
    assert not window.runner.running(Lane.BACKGROUND)
    window.index([own_photos])
    qtbot.waitUntil(lambda: count(window) == 3, timeout=WAIT_MS)
    draw(own_photos, Scene("meadow", "green"))
    qtbot.waitUntil(lambda: count(window) == 4, timeout=WAIT_MS)
    assert len(window.runner.running(Lane.BACKGROUND)) == 1


def test_watching_may_be_turned_off(open_window, library, qtbot):
    window = open_window(library, watching=False)
    qtbot.wait(300)
    assert not window.runner.running(Lane.BACKGROUND)


def test_a_library_that_cannot_be_written_watches_nothing(open_window, library, qtbot, monkeypatch):
    monkeypatch.setattr(Database, "writable", False)
    window = open_window(library, watching=True)
    qtbot.wait(300)
    assert not window.runner.running(Lane.BACKGROUND)


def test_polling_is_told_once(open_window, library, own_photos, qtbot, monkeypatch):
    monkeypatch.setattr(ear, "sends_no_events", lambda folder: True)
    window = open_window(library, watching=True)
    qtbot.waitUntil(window.messages.isVisible, timeout=WAIT_MS)
    assert "photos" in window.messages.message
    assert "network" in window.messages.advice
    window.messages.hide()
    own_photos.rename(own_photos.parent / "away")
    qtbot.waitUntil(lambda: window.engine.roots()[own_photos], timeout=WAIT_MS)
    (own_photos.parent / "away").rename(own_photos)
    qtbot.waitUntil(lambda: not window.engine.roots()[own_photos], timeout=WAIT_MS)
    qtbot.wait(300)
    assert not window.messages.isVisible()
    draw(own_photos, Scene("meadow", "green"))
    qtbot.waitUntil(lambda: count(window) == 4, timeout=WAIT_MS)


def test_every_cause_has_its_words(qapp, tmp_path):
    told = {polled_in_words(Polled(tmp_path, why, 60.0))[1] for why in WhyPolled}
    assert len(told) == len(WhyPolled)


def test_closing_leaves_no_thread_and_no_process(open_window, library, own_photos, qtbot):
    before = set(threading.enumerate())
    window = open_window(library, watching=True)
    qtbot.waitUntil(
        lambda: any("Inotify" in type(t).__name__ for t in threading.enumerate()), timeout=WAIT_MS
    )
    for number in range(30):
        draw(own_photos, Scene(f"{number:02}", "green"), (64 + number, 64))
    qtbot.waitUntil(lambda: window.engine.library.photos.count() > 3, timeout=WAIT_MS)
    window.close()
    assert window.stopped
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before, timeout=WAIT_MS)
    children = (" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True))
    assert not any("spawn_main" in words for words in children)


def test_searches_come_before_what_is_watched(open_window, library, own_photos, qtbot):
    """While a person waits for an answer, nothing that comes by itself is read."""
    window = open_window(library, watching=True)
    qtbot.wait(1000)
    held = threading.Event()
    search = Task(lambda progress, tell: held.wait(30))
    window.runner.start(search, Lane.QUERY)
    draw(own_photos, Scene("meadow", "green"))
    time.sleep(1.5)
    qtbot.wait(200)
    assert window.engine.library.photos.count() == 3
    window.engine.library.facts.put("somebody else writes", "meanwhile")
    held.set()
    qtbot.waitUntil(lambda: window.engine.library.photos.count() == 4, timeout=WAIT_MS)


def test_a_search_is_answered_while_many_photos_come(open_window, library, own_photos, qtbot):
    window = open_window(library, watching=True)
    for number in range(40):
        draw(own_photos, Scene(f"{number:02}", "green"), (64 + number, 64))
    qtbot.waitUntil(lambda: window.engine.library.photos.count() > 3, timeout=WAIT_MS)
    window.bar.line.setText("red")
    with qtbot.waitSignal(window.searching.ended, timeout=WAIT_MS):
        qtbot.keyClick(window.bar.line, Qt.Key.Key_Return)
    assert window.search_screen.answer is not None
    qtbot.waitUntil(lambda: window.engine.library.photos.count() == 43, timeout=WAIT_MS)


def test_what_is_chosen_and_in_sight_stays_while_photos_come(
    open_window, library, own_photos, qtbot
):
    for number in range(60):
        draw(own_photos / "many", Scene(f"{number:03}", "green"), (64 + number, 64))
    window = open_window(library, watching=True)
    qtbot.waitUntil(lambda: count(window) == 63, timeout=WAIT_MS)
    grid, model = window.library_screen.grid, window.library_screen.model
    flags = grid.selectionModel().SelectionFlag
    chosen = [model.picture(row) for row in (40, 41, 45)]
    for row in (40, 41, 45):
        grid.selectionModel().setCurrentIndex(model.index(row, 0), flags.Select)
    grid.scrollTo(model.index(40, 0))
    before = grid.visualRect(model.index(40, 0)).top()
    assert grid.verticalOffset() > 0
    for number in range(3):
        draw(own_photos / "new", Scene(f"new {number}", "red"), (90, 64 + number))
    qtbot.waitUntil(lambda: count(window) == 66, timeout=WAIT_MS)
    assert set(grid.chosen()) == set(chosen)
    assert model.picture(grid.currentIndex().row()) == chosen[-1]
    row = model.row_of(chosen[0])
    assert abs(grid.visualRect(model.index(row, 0)).top() - before) < grid.grid_geometry.pitch
    assert grid.visualRect(model.index(row, 0)).intersects(grid.viewport().rect())
