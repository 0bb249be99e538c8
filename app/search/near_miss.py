"""What is shown when nothing matches: the nearest photo, and which condition it fails."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.theme import Theme
from app.widgets.chip import ChipContent, ChipFlow, ChipKind
from app.widgets.labels import button, plain_label
from app.widgets.photo_tile import PhotoTile
from core.domain.answer import NearMiss

EDGE = 512


class NearMissPanel(QWidget):
    """Says plainly that nothing matches; the closest photos are one click away."""

    opened = Signal(int)
    closest_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = -1
        self._tile = PhotoTile(theme)
        self._tile.setFixedSize(264, 264)
        self._tile.clicked.connect(lambda: self.opened.emit(self._picture))
        self._caption = plain_label(role="muted", wrap=True)
        self._chips = ChipFlow(theme)
        self._closest = button(self.tr("Show the closest photos anyway"))
        self._closest.clicked.connect(self.closest_wanted)
        self._nearest = self._card()
        column = QVBoxLayout(self)
        column.setContentsMargins(30, 8, 30, 8)
        column.setSpacing(8)
        column.addStretch(1)
        for text, role in (
            (self.tr("Nothing matches"), "display"),
            (self.tr("No photo in the library shows what you asked for."), "muted"),
        ):
            column.addWidget(plain_label(text, role), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(6)
        column.addWidget(self._nearest, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(6)
        column.addWidget(self._closest, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)

    @property
    def picture(self) -> int:
        """The nearest photo, -1 where there is none."""
        return self._picture

    def show_miss(self, miss: NearMiss | None, others: bool) -> None:
        """Show the nearest photo; `others` tells whether there is more to look at."""
        self._picture = -1 if miss is None else miss.photo_id
        self._nearest.setVisible(miss is not None)
        self._closest.setVisible(others)
        failed = () if miss is None else miss.failed
        word = self.tr("not there")
        self._chips.show_chips([ChipContent(text, word, ChipKind.CHANGED) for text in failed])

    def show_picture(self, pixmap: QPixmap | None, caption: str) -> None:
        """Show the nearest photo's picture and caption."""
        self._tile.show_pixmap(pixmap)
        self._tile.setAccessibleName(caption)
        self._caption.setText(caption)

    def _card(self) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(660)
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addStretch(1)
        words.addWidget(plain_label(self.tr("The nearest photo"), "title"))
        words.addWidget(self._caption)
        words.addSpacing(8)
        words.addWidget(plain_label(self.tr("It fails:"), "heading"))
        words.addWidget(self._chips)
        words.addStretch(1)
        line = QHBoxLayout(card)
        line.setContentsMargins(16, 16, 20, 16)
        line.setSpacing(20)
        line.addWidget(self._tile)
        line.addLayout(words, 1)
        return card
