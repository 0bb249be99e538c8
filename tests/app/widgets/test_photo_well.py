"""Dropping photos into the well, from the grid and from other applications."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from app.search.bar import Chosen, SearchBar
from app.widgets.item_model import PICTURE_MIME
from app.widgets.photo_well import PhotoWell

LEFT, NO_KEYS, COPY = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.DropAction.CopyAction,
)


def file_data(path: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    return data


def picture_data(numbers: bytes) -> QMimeData:
    data = file_data("/photos/other.jpg")
    data.setData(PICTURE_MIME, numbers)
    return data


def drop(target, data: QMimeData) -> bool:
    """Drop as the window system does: enter, then drop."""
    enter = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NO_KEYS)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(QPointF(5, 5), COPY, data, LEFT, NO_KEYS)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


@pytest.fixture
def well(qtbot, theme):
    made = PhotoWell(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def bar(qtbot, theme):
    made = SearchBar(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_file_is_taken(well, qtbot, tmp_path):
    with qtbot.waitSignal(well.file_dropped) as dropped:
        assert drop(well, file_data(str(tmp_path / "a b#c.jpg")))
    assert dropped.args == [tmp_path / "a b#c.jpg"]


def test_a_photo_of_the_grid_is_taken_by_its_number(well, qtbot):
    with (
        qtbot.waitSignal(well.picture_dropped) as dropped,
        qtbot.assertNotEmitted(well.file_dropped),
    ):
        assert drop(well, picture_data(b"42,43"))
    assert dropped.args == [42]


def test_text_and_web_addresses_are_refused(well):
    text, web = QMimeData(), QMimeData()
    text.setText("hello")
    web.setUrls([QUrl("https://example.org/a.jpg")])
    assert not drop(well, text)
    assert not drop(well, web)


def test_the_whole_bar_takes_photos(bar):
    assert drop(bar, picture_data(b"7"))
    assert bar.reference == Chosen(7)
    assert bar.well.filled
    assert not bar.line.acceptDrops()  # or the words would take the photo's address


def test_the_clear_button_empties_words_and_well(bar, qtbot):
    drop(bar.well, file_data("/photos/x.jpg"))
    bar.line.setText("without people")
    assert bar.reference == Chosen(path=Path("/photos/x.jpg"))
    with qtbot.waitSignal(bar.cleared):
        qtbot.mouseClick(bar.clear_button, LEFT)
    assert (bar.text, bar.reference, bar.well.filled) == ("", None, False)
    assert not bar.clear_button.isVisible()


def test_delete_and_the_cross_take_the_photo_out(bar, qtbot):
    drop(bar.well, picture_data(b"7"))
    qtbot.keyClick(bar.well, Qt.Key.Key_Delete)
    assert bar.reference is None
    drop(bar.well, picture_data(b"8"))
    qtbot.mouseClick(bar.well, LEFT, pos=QPoint(bar.well.width() - 5, 5))
    assert bar.reference is None


def test_a_click_on_the_well_asks_for_a_file(bar, qtbot):
    with qtbot.waitSignal(bar.choose_wanted):
        qtbot.mouseClick(bar.well, LEFT, pos=QPoint(15, 30))


def test_the_button_stops_while_busy(bar, qtbot):
    bar.set_busy(True)
    with qtbot.waitSignal(bar.stopped), qtbot.assertNotEmitted(bar.asked):
        qtbot.mouseClick(bar.go, LEFT)
    bar.set_busy(False)
    with qtbot.waitSignal(bar.asked):
        qtbot.keyClick(bar.line, Qt.Key.Key_Return)
