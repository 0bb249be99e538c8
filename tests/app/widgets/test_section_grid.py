"""The virtual grid: painting, keys, selection, dragging."""

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent

from app.widgets.grid_geometry import GridStyle
from app.widgets.item_model import PICTURE_MIME, GridSection, PictureModel
from app.widgets.section_grid import SectionGrid
from app.widgets.thumbnail_delegate import ThumbnailDelegate


@pytest.fixture
def grid(qtbot, theme, source):
    made = SectionGrid(theme, GridStyle())
    made.setModel(PictureModel(source, made))
    made.setItemDelegate(ThumbnailDelegate(theme, made))
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


def fill(grid: SectionGrid, *counts: int) -> None:
    sections = [GridSection(f"Day {n}", "", count) for n, count in enumerate(counts)]
    grid.pictures.show(np.arange(100, 100 + sum(counts)), sections)


def test_a_million_photos_paint_the_visible_ones_alone(grid, source, qtbot):
    fill(grid, *[10_000] * 100)
    bar = grid.verticalScrollBar()
    for height in (0, bar.maximum() // 3, bar.maximum()):
        bar.setValue(height)
        source.asked.clear()
        grid.grab()
        assert 0 < len(set(source.asked)) < 60
    assert max(source.asked) == 1_000_099


def test_arrows_lead_along_rows_and_across_days(grid, qtbot):
    fill(grid, 3, 8)
    grid.setCurrentIndex(grid.model().index(0, 0))
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert grid.currentIndex().row() == 1
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert grid.currentIndex().row() == 3 + 1
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    assert grid.currentIndex().row() == 1
    qtbot.keyClick(grid, Qt.Key.Key_End)
    assert grid.currentIndex().row() == 10
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert grid.currentIndex().row() == 10
    qtbot.keyClick(grid, Qt.Key.Key_Home)
    assert grid.currentIndex().row() == 0


def test_the_current_photo_is_scrolled_into_sight(grid, qtbot):
    fill(grid, 400)
    grid.setCurrentIndex(grid.model().index(0, 0))
    qtbot.keyClick(grid, Qt.Key.Key_End)
    assert grid.viewport().rect().contains(grid.visualRect(grid.currentIndex()))
    qtbot.keyClick(grid, Qt.Key.Key_PageUp)
    assert grid.viewport().rect().contains(grid.visualRect(grid.currentIndex()))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_return_and_space_open(grid, qtbot, key):
    fill(grid, 5)
    grid.setCurrentIndex(grid.model().index(2, 0))
    with qtbot.waitSignal(grid.opened) as opened:
        qtbot.keyClick(grid, key)
    assert opened.args == [102]


def test_a_double_click_opens(grid, qtbot):
    fill(grid, 5)
    where = grid.visualRect(grid.model().index(3, 0)).center()
    with qtbot.waitSignal(grid.opened) as opened:
        qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=where)
        qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert opened.args == [103]


def test_shift_click_chooses_the_run_between(grid, qtbot):
    fill(grid, 3, 12)
    start = grid.visualRect(grid.model().index(1, 0)).center()
    end = grid.visualRect(grid.model().index(9, 0)).center()
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(grid.viewport(), left, pos=start)
    qtbot.mouseClick(grid.viewport(), left, Qt.KeyboardModifier.ShiftModifier, pos=end)
    assert grid.chosen() == list(range(101, 110))
    qtbot.mouseClick(grid.viewport(), left, Qt.KeyboardModifier.ControlModifier, pos=start)
    assert grid.chosen() == list(range(102, 110))


def test_a_rubber_band_chooses_what_it_meets(grid):
    fill(grid, 3, 12)
    band = QRect(QPoint(0, 0), grid.visualRect(grid.model().index(1, 0)).center())
    grid.setSelection(band, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert grid.chosen() == [100, 101]


def test_select_all_of_a_million_is_one_range(grid):
    fill(grid, 1_000_000)
    grid.selectAll()
    assert len(grid.selectionModel().selection()) == 1


def test_a_drag_carries_numbers_and_files(grid):
    fill(grid, 5)
    data = grid.pictures.mimeData([grid.model().index(1, 0), grid.model().index(2, 0)])
    assert bytes(data.data(PICTURE_MIME).data()) == b"101,102"
    assert [url.toLocalFile() for url in data.urls()] == ["/photos/101.jpg", "/photos/102.jpg"]


def test_zooming_keeps_the_top_in_sight(grid):
    fill(grid, *[40] * 30)
    grid.verticalScrollBar().setValue(5000)
    top = grid.indexAt(QPoint(60, 100)).row()
    grid.restyle(GridStyle(cell=100))
    shown = [
        r
        for run in grid.grid_geometry.visible(grid.verticalOffset(), grid.verticalOffset() + 700)
        for r in range(run.first, run.last + 1)
    ]
    assert min(abs(row - top) for row in shown) < 12


def test_the_context_menu_is_asked_for_a_photo(grid, qtbot):
    fill(grid, 5)
    heard = []
    grid.menu_wanted.connect(lambda picture, where: heard.append(picture))
    where = grid.visualRect(grid.model().index(4, 0)).center()
    reason = QContextMenuEvent.Reason.Mouse
    grid.contextMenuEvent(QContextMenuEvent(reason, where, grid.mapToGlobal(where)))
    assert heard == [104]
