"""Copies, sidecars, the trash and undo, from the window."""

import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from send2trash import plat_other

from app.outgoing.words import (
    export_in_words,
    sidecars_in_words,
    trash_in_words,
    trashing_in_words,
)
from core.domain.decision import RatingSet
from core.domain.photo import PhotoId
from core.engine import Engine
from core.export import trash as trash_module
from core.export.copies import Exported, ExportReport, NotExported
from core.export.sidecars import NotWritten, SidecarReport
from core.export.trash import Trashing, TrashReport
from core.progress import Progress
from tests.app.windows import WAIT_MS
from tests.core.pictures import FAKES, SCENES, draw


@pytest.fixture
def own_photos(tmp_path):
    for scene in SCENES[:3]:
        draw(tmp_path / "photos", scene)
    return tmp_path / "photos"


@pytest.fixture
def window(open_window, tmp_path, own_photos, qtbot):
    engine = Engine.open(tmp_path / "library", FAKES)
    engine.index([own_photos], Progress())
    engine.close()
    return open_window(tmp_path / "library")


@pytest.fixture
def trash(tmp_path, monkeypatch):
    folder = tmp_path / "home" / "Trash"
    (tmp_path / "home").mkdir()
    monkeypatch.setattr(plat_other, "XDG_DATA_HOME", os.fsencode(folder.parent))
    monkeypatch.setattr(plat_other, "HOMETRASH_B", os.fsencode(folder))
    monkeypatch.setattr(trash_module, "send2trash", plat_other.send2trash)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def choose(window, *names: str) -> None:
    grid, model = window.library_screen.grid, window.library_screen.model
    grid.clearSelection()
    for row in range(model.rowCount()):
        photo = window.engine.photos([PhotoId(model.picture(row))])[0]
        if photo.path.stem in names:
            flags = grid.selectionModel().SelectionFlag
            grid.selectionModel().setCurrentIndex(model.index(row, 0), flags.Select)


def confirm(window, qtbot, action: str) -> None:
    window.outgoing.dialog = None
    window.commands[action].trigger()
    qtbot.waitUntil(lambda: window.outgoing.dialog is not None, timeout=WAIT_MS)
    assert window.outgoing.dialog.isVisible()
    qtbot.mouseClick(window.outgoing.dialog.accept_button, Qt.MouseButton.LeftButton)


def test_copies_go_to_the_folder_that_is_chosen(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    choose(window, "rose", "lake")
    confirm(window, qtbot, "photos.export")
    qtbot.waitUntil(lambda: "copied" in window.messages.message, timeout=WAIT_MS)
    assert "2 photos" in window.messages.message
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["lake.jpg", "rose.jpg"]
    assert b"Brush" not in (tmp_path / "out" / "rose.jpg").read_bytes()


def test_an_export_may_keep_what_photos_say(window, qtbot, tmp_path, own_photos, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    choose(window, "rose")
    window.commands["photos.export"].trigger()
    window.outgoing.dialog.choice.setChecked(True)
    qtbot.mouseClick(window.outgoing.dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "copied" in window.messages.message, timeout=WAIT_MS)
    copy = tmp_path / "out" / "rose.jpg"
    assert copy.read_bytes() == (own_photos / "rose.jpg").read_bytes()


def test_nothing_is_copied_where_no_folder_is_chosen(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    choose(window, "rose")
    confirm(window, qtbot, "photos.export")
    qtbot.wait(100)
    assert not window.messages.isVisible()


def test_the_trash_asks_how_many_files_and_takes_them(window, qtbot, own_photos, trash):
    (own_photos / "copy of rose.jpg").write_bytes((own_photos / "rose.jpg").read_bytes())
    with qtbot.waitSignal(window.library.indexed, timeout=WAIT_MS):
        window.index_again()
    choose(window, "copy of rose")
    window.commands["photos.trash"].trigger()
    qtbot.waitUntil(lambda: window.outgoing.dialog is not None, timeout=WAIT_MS)
    assert "2 files" in window.outgoing.dialog.text
    assert (own_photos / "rose.jpg").exists()
    qtbot.mouseClick(window.outgoing.dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.library_screen.model.rowCount() == 2, timeout=WAIT_MS)
    assert {p.name for p in (trash / "files").iterdir()} == {"rose.jpg", "copy of rose.jpg"}
    assert "2 files" in window.messages.message


def test_the_preview_of_a_photo_closes_when_it_goes(window, qtbot, own_photos, trash):
    model = window.library_screen.model
    window.open_preview(model.pictures, model.picture(0))
    confirm(window, qtbot, "photos.trash")
    qtbot.waitUntil(lambda: model.rowCount() == 2, timeout=WAIT_MS)
    assert window.pages.currentWidget() is window.library_screen
    assert window.errors.dialog is None


def test_no_is_no(window, qtbot, own_photos, trash):
    choose(window, "rose")
    window.commands["photos.trash"].trigger()
    qtbot.waitUntil(lambda: window.outgoing.dialog is not None, timeout=WAIT_MS)
    qtbot.keyClick(window.outgoing.dialog, Qt.Key.Key_Escape)
    qtbot.wait(100)
    assert (own_photos / "rose.jpg").exists()
    assert not trash.exists()


def test_a_trash_that_refuses_is_told(window, qtbot, own_photos, trash):
    trash.write_bytes(b"no folder")
    choose(window, "rose")
    confirm(window, qtbot, "photos.trash")
    qtbot.waitUntil(window.messages.isVisible, timeout=WAIT_MS)
    assert "cannot be moved to the trash" in window.messages.message
    assert window.messages.advice
    assert (own_photos / "rose.jpg").exists()


def test_sidecars_are_written_after_a_question(window, qtbot, own_photos):
    choose(window, "rose", "lake")
    confirm(window, qtbot, "photos.sidecars")
    qtbot.waitUntil(lambda: "2 sidecars written" in window.messages.message, timeout=WAIT_MS)
    assert (own_photos / "rose.jpg.xmp").exists()


def test_undo_takes_the_last_decision_back(window, qtbot):
    ids = tuple(window.engine.library.photos.ids())
    window.engine.decide(RatingSet(ids, 4), Progress())
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Undone" in window.messages.message, timeout=WAIT_MS)
    assert "3 photos" in window.messages.message
    assert window.engine.photos(ids)[0].facts.rating is None
    window.commands["edit.undo"].trigger()
    qtbot.waitUntil(lambda: "nothing to undo" in window.messages.message, timeout=WAIT_MS)


def test_keys_in_the_search_line_mean_the_text(window, qtbot, own_photos, trash):
    window.focus_search()
    qtbot.keyClicks(window.bar.line, "words")
    qtbot.keyClick(window.bar.line, Qt.Key.Key_Home)
    qtbot.keyClick(window.bar.line, Qt.Key.Key_Delete)
    qtbot.wait(100)
    assert window.bar.line.text() == "ords"
    assert window.outgoing.dialog is None


def test_without_a_choice_it_is_said_how_to_choose(window, qtbot):
    window.show_place("problems")
    window.commands["photos.export"].trigger()
    assert "No photo is chosen" in window.messages.message
    assert window.outgoing.dialog is None


def test_reports_in_words(qapp, tmp_path):
    many = tuple(tmp_path / f"{n}.jpg" for n in range(5))
    copies = tuple(Exported(p, p, "a JPEG was made of it") for p in many)
    failed = (NotExported(many[0], "no such file"),)
    message, advice = export_in_words(ExportReport(copies, failed))
    assert message.startswith("5 photos")
    assert "0.jpg: no such file" in advice
    assert "5 photos: a JPEG" in advice
    assert export_in_words(ExportReport((), failed))[0] == "Nothing copied"
    report = SidecarReport((), 0, tuple(NotWritten(p, "read-only") for p in many))
    assert sidecars_in_words(report)[1].endswith("and 2 more")
    title, text = trashing_in_words(Trashing((PhotoId(1),), many))
    assert "1 photo" in title
    assert "5 files" in text
    assert "and 2 more" in text
    assert "stay in the library" in trash_in_words(TrashReport(many[:1], many[1:2]))[1]
