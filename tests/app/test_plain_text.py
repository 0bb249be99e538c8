"""What photos say of themselves is shown as it is, never as markup."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.library.folders import FolderList
from app.preview.facts import PhotoDetails, fact_rows
from app.preview.panel import FactsPanel
from app.search.why import WhyPanel
from app.widgets.chip import Chip, ChipContent
from app.widgets.message_bar import MessageBar
from core.domain.photo import PhotoId
from core.domain.profile import Concept, Profile
from tests.app import answers

EVIL = "<img src='file:///etc/passwd'><b>bold</b>"


def labels(widget) -> list[QLabel]:
    return [label for label in widget.findChildren(QLabel) if label.pixmap().isNull()]


@pytest.fixture
def evil_panel(qtbot, theme):
    panel = FactsPanel(theme)
    qtbot.addWidget(panel)
    photo = answers.photo(name="<u>a<u>.jpg", title=EVIL, keywords=(EVIL,))
    panel.show_details(PhotoDetails(photo, Profile(PhotoId(1), (Concept(EVIL, 0.7),), "")))
    return panel


def test_every_label_of_the_preview_is_plain(evil_panel):
    assert sum(EVIL.replace("/", "/\u200b") in label.text() or EVIL in label.text()
               for label in labels(evil_panel)) == 3  # fmt: skip
    for label in labels(evil_panel):
        assert label.textFormat() is Qt.TextFormat.PlainText


def test_reasons_messages_and_folders_are_plain(qtbot, theme, tmp_path):
    bar, why, folders = MessageBar(theme), WhyPanel(theme), FolderList(theme)
    bar.tell(EVIL, EVIL)
    why.explain(answers.answer(), answers.answer().results[0])
    folders.show_folders({tmp_path / "<b>x": True})
    for widget in (bar, why, folders):
        qtbot.addWidget(widget)
        assert labels(widget)
        for label in labels(widget):
            assert label.textFormat() is Qt.TextFormat.PlainText


def test_a_chip_tells_its_tooltip_as_it_is(qtbot, theme):
    chip = Chip(ChipContent("x", tooltip=EVIL), theme)
    qtbot.addWidget(chip)
    assert "<img" not in chip.toolTip()
    assert "&lt;img" in chip.toolTip()


def test_facts_say_what_the_photo_says_and_no_more():
    rows = {row.icon: row for row in fact_rows(answers.photo())}
    assert rows["time"].text.endswith("3 Jul 2021, 09:05 (UTC+02:00)")
    assert rows["time"].detail == "from the camera, when taken, to the second"
    assert rows["place"].text == "Arezzo, Tuscany, IT"
    assert "296 m above the sea" in rows["place"].detail
    assert (rows["camera"].text, rows["camera"].detail) == ("Canon EOS 40D", "1/160 s · f/7.1")
    assert "4000 × 3000 · 12.0 MP" in rows["file"].detail
