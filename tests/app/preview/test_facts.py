"""What the preview says of a photo: kind, rating, what belongs to it, tags by kind."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.preview.facts import FactRow, PhotoDetails, fact_rows, tag_groups
from app.preview.panel import FactsPanel
from core.domain.photo import Companion, CompanionRole, FileStamp, Photo, PhotoKind
from core.domain.tag import Tag, TagKind
from tests.app import answers


def photo(**changes: object) -> Photo:
    plain = answers.photo()
    return replace(plain, facts=replace(plain.facts, **changes))  # type: ignore[arg-type]


def row(shown: Photo, icon: str) -> FactRow | None:
    return next((row for row in fact_rows(shown) if row.icon == icon), None)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (PhotoKind.SCREENSHOT, "Screenshot"),
        (PhotoKind.RECEIPT, "Receipt or document"),
        (PhotoKind.SCAN, "Scan"),
        (PhotoKind.MEME, "Meme"),
        (PhotoKind.GRAPHIC, "Graphic"),
    ],
)
def test_what_is_no_photo_is_named_with_its_reason(qapp, kind, name):
    assert row(photo(kind=kind, kind_reason="why"), "photo") == FactRow("photo", name, "why")


def test_a_photo_is_not_called_one(qapp):
    assert row(photo(kind_reason="a camera took it"), "photo") is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(3.4, "Video · 0:03"), (83, "Video · 1:23"), (3725, "Video · 1:02:05"), (None, "Video")],
)
def test_a_video_tells_its_duration(qapp, seconds, text):
    shown = row(photo(kind=PhotoKind.VIDEO, duration_s=seconds), "photo")
    assert shown is not None
    assert shown.text == text


@pytest.mark.parametrize(
    ("rating", "text"), [(4, "Rated 4 of 5"), (-1, "Rejected"), (0, None), (None, None)]
)
def test_a_rating_is_told_where_there_is_one(qapp, rating, text):
    shown = row(photo(rating=rating), "tick")
    assert (shown.text if shown else None) == text


def test_a_note_is_told(qapp):
    assert row(photo(note="a part is missing"), "info") == FactRow("info", "a part is missing")


def test_what_belongs_to_it_is_named(qapp):
    files = {CompanionRole.RAW: "a.dng", CompanionRole.LIVE: "a.mov"}
    beside = tuple(
        Companion(role, FileStamp(Path("/photos") / name, 1, 1)) for role, name in files.items()
    )
    rows = [r for r in fact_rows(replace(photo(), companions=beside)) if r.icon == "sidecar"]
    assert [(r.text, r.detail) for r in rows] == [
        ("With its RAW file", "a.dng"),
        ("With its live video", "a.mov"),
    ]


def test_tags_stand_under_their_kinds_and_stay_plain(qtbot, theme):
    tags = (
        Tag(TagKind.KEYWORD, ("beach",)),
        Tag(TagKind.PERSON, ("<b>Ada</b>",)),
        Tag(TagKind.PLACE, ("Italy", "Arezzo")),
        Tag(TagKind.PERSON, ("Bo",)),
    )
    shown = photo(tags=tags, kind=PhotoKind.MEME, kind_reason="<i>why</i>")
    assert tag_groups(shown) == (
        ("People", ("<b>Ada</b>", "Bo")),
        ("Places", ("Arezzo",)),
        ("Keywords", ("beach",)),
    )
    panel = FactsPanel(theme)
    qtbot.addWidget(panel)
    panel.show_details(PhotoDetails(shown, None))
    labels = panel.findChildren(QLabel)
    assert any("why" in label.text() for label in labels)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels if label.text())
