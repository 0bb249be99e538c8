"""The side panel of the preview: what is known of the photo, every word as plain text."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.preview.facts import FactRow, PhotoDetails, fact_rows, tag_groups
from app.theme import Theme
from app.widgets.chip import ChipContent, ChipFlow
from app.widgets.labels import plain_label
from app.widgets.side_panel import SidePanel

_WIDTH = 310


class FactsPanel(SidePanel):
    """Title, facts, keywords, and what the models see."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            _WIDTH, QCoreApplication.translate("FactsPanel", "What is known of this photo"), parent
        )
        self._theme = theme

    def show_details(self, details: PhotoDetails) -> None:
        """Show one photo's facts."""
        body = QWidget()
        body.setObjectName("panel")
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 20, 18, 20)
        column.setSpacing(16)
        facts = details.photo.facts
        if facts.title:
            column.addWidget(plain_label(facts.title, "title", wrap=True))
        for row in fact_rows(details.photo):
            column.addLayout(self._row(row))
        for title, names in tag_groups(details.photo):
            self._add_chips(column, title, [ChipContent(name) for name in names])
        concepts = details.profile.concepts if details.profile else ()
        seen = [ChipContent(c.phrase, f"{c.probability:.0%}") for c in concepts]
        self._add_chips(column, self.tr("What the models see"), seen)
        column.addStretch(1)
        self.setWidget(body)

    def _row(self, row: FactRow) -> QHBoxLayout:
        symbol = QLabel()
        symbol.setPixmap(self._theme.pixmap(row.icon, 20, "muted"))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(plain_label(_breakable(row.text), "heading", wrap=True))
        if row.detail:
            words.addWidget(plain_label(_breakable(row.detail), "small", wrap=True))
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(symbol, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        return line

    def _add_chips(self, column: QVBoxLayout, title: str, chips: list[ChipContent]) -> None:
        if not chips:
            return
        column.addWidget(plain_label(title.upper(), "overline"))
        flow = ChipFlow(self._theme)
        flow.show_chips(chips)
        column.addWidget(flow)


def _breakable(text: str) -> str:
    """The text with invisible places to break a line, for long file names and paths."""
    for mark in "/\\_-.":
        text = text.replace(mark, f"{mark}\u200b")
    return text
