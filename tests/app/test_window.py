"""The whole window over the real engine, with stand-ins for the models."""

from contextlib import closing
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImageReader
from PySide6.QtWidgets import QLabel, QPushButton

from app.search.bar import Chosen
from app.tasks.runner import Lane
from app.widgets.chip import ChipKind
from app.widgets.item_model import CellRole
from app.window import MainWindow
from core.domain.photo import PhotoId
from core.engine import Engine
from core.progress import Progress
from tests.app.windows import WAIT_MS, drop
from tests.core.ingest.decoding.odd_decoders import decode_or_die
from tests.core.pictures import FAKES, Scene, draw


def names(window: MainWindow, *, excluded: bool = False) -> list[str]:
    answer = window.search_screen.answer
    ids = [r.photo_id for r in answer.results if r.excluded is excluded]
    return [photo.path.stem for photo in window.engine.photos(ids)]


def search(qtbot, window: MainWindow, text: str) -> None:
    window.bar.line.setText(text)
    with qtbot.waitSignal(window.searching.ended, timeout=WAIT_MS):
        qtbot.keyClick(window.bar.line, Qt.Key.Key_Return)


def test_thumbnails_are_loaded_for_what_is_seen(window, qtbot):
    grid = window.library_screen.grid
    model = window.library_screen.model

    def painted() -> bool:
        grid.grab()
        return all(
            model.index(r, 0).data(Qt.ItemDataRole.DecorationRole) is not None for r in range(7)
        )

    qtbot.waitUntil(painted, timeout=WAIT_MS)
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "canyon.jpg" in spoken
    assert "Moab" in spoken


def test_searching_shows_results_with_their_verdicts(window, qtbot):
    search(qtbot, window, "red")
    assert names(window)[0] == "rose"
    assert window.search_screen.answer.stage == "final"
    assert window.pages.currentWidget() is window.search_screen
    wanted = [c for c in window.search_screen.understood.contents if c.kind is ChipKind.WANTED]
    assert [chip.text for chip in wanted] == ["red"]
    assert window.bar.go.text() == "Search"


def test_an_exclusion_is_struck_and_its_photos_are_left_out(window, qtbot):
    search(qtbot, window, "red without blue")
    chips = window.search_screen.understood.contents
    assert ("blue", ChipKind.EXCLUDED) in [(chip.text, chip.kind) for chip in chips]
    assert "rose" in names(window)
    assert "flag" not in names(window)
    assert "flag" in names(window, excluded=True)
    model = window.search_screen.model
    assert model.sections[-1].title == "Left out"
    last = model.index(model.rowCount() - 1, 0)
    assert last.data(CellRole.DIMMED) is True
    changed = [chip.text for chip in last.data(CellRole.CHIPS) if chip.kind is ChipKind.CHANGED]
    assert "without blue" in changed


def test_the_first_answer_is_shown_and_refined_in_place(window, qtbot):
    stages = []
    window.searching.answered.connect(lambda answer: stages.append(answer.stage))
    search(qtbot, window, "blue")
    assert stages[-1] == "final"
    assert stages[0] == "first"


def test_nothing_matches_shows_the_nearest_miss(window, qtbot):
    search(qtbot, window, "pink")
    screen = window.search_screen
    assert screen.answer.abstained
    assert screen.miss.isVisible()
    assert screen.miss.picture >= 0
    texts = [label.text() for label in screen.miss.findChildren(QLabel)]
    assert "Nothing matches" in texts
    assert "pink" in texts


def test_an_empty_query_is_told_with_advice(window, qtbot):
    search(qtbot, window, "")
    assert window.messages.isVisible()
    assert window.messages.advice


def test_a_photo_dragged_from_the_grid_becomes_the_reference(window, qtbot):
    model = window.library_screen.model
    flag = next(
        p.id for p in window.engine.photos(model.pictures.tolist()) if p.path.stem == "flag"
    )
    drop(window.bar.well, model.mimeData([model.index(model.row_of(flag), 0)]))
    assert window.bar.reference == Chosen(flag)
    qtbot.waitUntil(lambda: window.bar.well._pixmap is not None, timeout=WAIT_MS)
    search(qtbot, window, "")
    assert window.search_screen.answer.results


def test_a_dropped_file_becomes_the_reference(window, qtbot, tmp_path):
    path = draw(tmp_path, Scene("postcard", "green", "yellow"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop(window.bar, data)
    assert window.bar.reference == Chosen(path=path)
    qtbot.waitUntil(lambda: window.bar.well._pixmap is not None, timeout=WAIT_MS)
    search(qtbot, window, "")
    assert names(window)[0] == "meadow"


def test_a_reference_that_is_no_photo_is_told(window, qtbot, tmp_path):
    (tmp_path / "notes.txt").write_text("words")
    window.bar.refer_to(Chosen(path=tmp_path / "notes.txt"))
    search(qtbot, window, "red")
    assert window.messages.isVisible()
    assert window.messages.advice
    assert window.errors.dialog is None


def test_why_tells_steps_and_checks_of_the_chosen_photo(window, qtbot):
    search(qtbot, window, "red without blue")
    screen = window.search_screen
    screen.grid.setCurrentIndex(screen.model.index(0, 0))
    window.commands["search.why"].trigger()
    assert screen.why.isVisible()
    texts = [label.text() for label in screen.why.findChildren(QLabel)]
    assert "THIS PHOTO" in texts
    assert "STEPS" in texts
    assert any(text.startswith("1. ") for text in texts)
    assert any(text.startswith("What photos look like: ") for text in texts)
    (fold,) = screen.why.findChildren(QPushButton)
    told = [label for label in screen.why.findChildren(QLabel) if "first: " in label.text()]
    assert [label.isVisible() for label in told] == [False]
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert [label.isVisible() for label in told] == [True]


def test_a_judgement_is_kept_and_marked(window, qtbot):
    search(qtbot, window, "red")
    screen = window.search_screen
    screen.grid.setCurrentIndex(screen.model.index(0, 0))
    with qtbot.waitSignal(window.library_changed, timeout=WAIT_MS):
        window.commands["search.right"].trigger()
    assert screen.model._marks == {screen.model.picture(0): True}


def test_the_preview_leafs_by_keys_and_returns_to_the_photo(window, qtbot):
    grid, model = window.library_screen.grid, window.library_screen.model
    grid.setFocus()
    grid.setCurrentIndex(model.index(1, 0))
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    preview = window.preview
    assert preview.isVisible()
    assert preview.current == model.picture(1)
    qtbot.keyClick(preview, Qt.Key.Key_Right)
    assert preview.current == model.picture(2)
    with qtbot.waitSignal(window.previewing.picture_read, timeout=WAIT_MS):
        qtbot.keyClick(preview, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: preview._full, timeout=WAIT_MS)
    qtbot.keyClick(preview, Qt.Key.Key_End)
    qtbot.keyClick(preview, Qt.Key.Key_Right)
    assert preview.current == model.picture(6)
    window.commands["app.escape"].trigger()
    assert window.pages.currentWidget() is window.library_screen
    assert grid.currentIndex().row() == 6


@pytest.mark.parametrize("name", ["crash", "hang"])
def test_a_decoder_that_fails_leaves_the_small_picture_and_a_note(
    open_window, tmp_path, qtbot, name
):
    folder, library = tmp_path / "photos", tmp_path / "library"
    draw(folder, Scene(name, "red"), (1400, 900))
    draw(folder, Scene("well", "blue"), (1400, 900))
    with closing(Engine.open(library, FAKES)) as engine:
        engine.index([folder], Progress())
    (library / "settings.toml").write_text("[decode]\ntimeout_s = 1.0\n")
    window = open_window(library, replace(FAKES, decode=decode_or_die))
    first, last = sorted(
        window.engine.photos(window.library_screen.model.pictures.tolist()),
        key=lambda photo: photo.path.stem != name,
    )
    window.open_preview([first.id, last.id], first.id)
    qtbot.waitUntil(lambda: bool(window.preview.note), timeout=WAIT_MS)
    assert f"{name}.jpg cannot be shown" in window.preview.note
    shown = window.preview.picture_view
    qtbot.waitUntil(lambda: shown.pixmap is not None, timeout=WAIT_MS)
    assert max(shown.pixmap.width(), shown.pixmap.height()) == 512
    with qtbot.waitSignal(window.previewing.picture_read, timeout=WAIT_MS):
        window.preview.step(1)
    assert window.preview.note == ""
    assert shown.pixmap.width() > 512


def test_originals_are_decoded_by_the_engine_alone(window, qtbot, monkeypatch):
    read, real = [], QImageReader.__init__
    monkeypatch.setattr(
        QImageReader, "__init__", lambda self, path: read.append(path) or real(self, path)
    )
    model = window.library_screen.model
    window.bar.refer_to(Chosen(path=window.engine.photos([PhotoId(model.picture(0))])[0].path))
    with qtbot.waitSignal(window.previewing.picture_read, timeout=WAIT_MS):
        window.open_preview(model.pictures, model.picture(0))
    qtbot.waitUntil(lambda: not window.runner.running(Lane.IO), timeout=WAIT_MS)
    library = str(window.engine.library.paths.root)
    assert read
    assert [path for path in read if not path.startswith(library)] == []


def test_the_preview_shows_the_facts(window, qtbot):
    model = window.library_screen.model
    with qtbot.waitSignal(window.previewing.details_read, timeout=WAIT_MS):
        window.open_preview(model.pictures, model.picture(0))
    texts = [label.text() for label in window.preview.panel.findChildren(QLabel)]
    assert any("1 Oct 2022, 08:00 (UTC−06:00)" in text for text in texts)
    assert any("Moab" in text for text in texts)
    assert "orange" in texts


def test_the_current_photo_becomes_the_reference_by_key(window, qtbot):
    grid, model = window.library_screen.grid, window.library_screen.model
    grid.setCurrentIndex(model.index(2, 0))
    window.commands["search.use_current"].trigger()
    assert window.bar.reference == Chosen(model.picture(2))


def test_a_story_is_composed_and_its_photos_open(window, qtbot):
    window.commands["story.focus"].trigger()
    screen = window.story_screen
    screen.line.setText("a day in Arezzo, red then blue")
    with qtbot.waitSignal(window.stories.ended, timeout=WAIT_MS):
        qtbot.keyClick(screen.line, Qt.Key.Key_Return)
    assert screen.shown is not None
    assert names_of(window, screen.shown) == ["rose", "flag", "lake"]
    texts = [label.text() for label in screen.pages.findChildren(QLabel)]
    assert screen.shown.title in texts
    assert f"{screen.shown.score:.1f} of 10" in texts
    assert {"Every part is told", "Belongs together", "In the right order", "Nothing twice"} <= {
        *texts
    }
    for check in screen.shown.checks:
        assert check.text[:1].upper() + check.text[1:] in texts
    first = screen.shown.photos[0].photo_id
    window._open_from_story(first)
    assert window.preview.current == first
    window.escape()
    assert window.pages.currentWidget() is screen


def names_of(window: MainWindow, bundle) -> list[str]:
    photos = window.engine.photos([roled.photo_id for roled in bundle.photos])
    return [photo.path.stem for photo in photos]


def test_a_story_that_is_not_there_says_why(window, qtbot):
    window.focus_story()
    window.story_screen.line.setText("a day in Arezzo in 1999")
    with qtbot.waitSignal(window.stories.ended, timeout=WAIT_MS):
        window.story_screen.asked.emit()
    texts = [label.text() for label in window.story_screen.empty.findChildren(QLabel)]
    assert "No story found" in texts
    assert window.story_screen.empty.isVisible()


def test_escape_stops_clears_and_says_nothing(window, qtbot):
    window.bar.line.setText("red")
    window.search()
    window.commands["app.escape"].trigger()
    qtbot.waitUntil(lambda: not window.runner.running(Lane.QUERY), timeout=WAIT_MS)
    assert not window.messages.isVisible()
    assert window.bar.go.text() == "Search"
    window.commands["app.escape"].trigger()
    assert window.bar.text == ""


def test_every_place_is_reached_by_its_key(window):
    for command, screen in (
        ("view.search", window.search_screen), ("view.stories", window.story_screen),
        ("view.problems", window.problems), ("view.photos", window.library_screen),
    ):  # fmt: skip
        window.commands[command].trigger()
        assert window.pages.currentWidget() is screen


def test_the_dark_look_paints_every_screen(window):
    window.toggle_theme()
    assert window.theme.colours.dark
    for name in ("library", "search", "story", "problems"):
        window.show_place(name)
        picture = window.grab().toImage()
        assert picture.pixelColor(picture.width() - 3, 3).lightness() < 60


def test_reasons_of_problems_can_be_read_in_a_small_window(window, qtbot):
    table = window.problems.table
    window.show_place("problems")
    for width, folders in ((900, False), (1500, True)):
        window.resize(width, 700)
        qtbot.waitUntil(lambda: window.width() == width, timeout=WAIT_MS)  # noqa: B023
        qtbot.waitUntil(lambda: table.isColumnHidden(1) is not folders, timeout=WAIT_MS)  # noqa: B023
        assert table.columnWidth(2) >= 150
        assert table.horizontalScrollBar().maximum() == 0
