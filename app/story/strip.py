"""A bundle as a strip: its photos in order, each with its role, its date and its place."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.theme import Theme
from app.thumbnails import Thumbnails
from app.widgets.labels import plain_label
from app.widgets.photo_tile import PhotoTile
from app.words import moment_in_words, place_in_words
from core.domain.photo import Photo, PhotoId
from core.domain.story import Bundle, RoledPhoto

_LARGE_EDGE, _SMALL_EDGE = 512, 256
_SMALL_HEIGHT, _ASPECT = 76, 1.15


class StoryStrip(QWidget):
    """Large with captions, or small without; a click opens a photo."""

    opened = Signal(int)

    def __init__(
        self, thumbnails: Thumbnails, theme: Theme, large: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._thumbnails, self._theme, self._large = thumbnails, theme, large
        self._edge = _LARGE_EDGE if large else _SMALL_EDGE
        self._tiles: list[tuple[int, PhotoTile]] = []
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(14 if large else 5)
        thumbnails.arrived.connect(self._arrived)

    def show_bundle(self, bundle: Bundle, photos: Mapping[PhotoId, Photo]) -> None:
        """Show a bundle."""
        for number, roled in enumerate(bundle.photos, start=1):
            self._line.addLayout(self._column(number, roled, photos[roled.photo_id]), 1)

    def _column(self, number: int, roled: RoledPhoto, photo: Photo) -> QVBoxLayout:
        tile = PhotoTile(self._theme, _ASPECT if self._large else 0.0)
        if not self._large:
            tile.setFixedHeight(_SMALL_HEIGHT)
        tile.setAccessibleName(f"{number}. {roled.role}: {self._when_and_where(photo)}")
        tile.clicked.connect(lambda: self.opened.emit(roled.photo_id))
        tile.show_pixmap(self._thumbnails.whole(roled.photo_id, self._edge))
        self._tiles.append((roled.photo_id, tile))
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addWidget(tile)
        if self._large:
            column.addSpacing(5)
            role = roled.role[:1].upper() + roled.role[1:]
            column.addWidget(plain_label(f"{number}   {role}", "heading", wrap=True))
            column.addWidget(plain_label(moment_in_words(photo.facts.taken), "muted", wrap=True))
            column.addWidget(plain_label(place_in_words(photo), "small", wrap=True))
            column.addStretch(1)
        return column

    def _when_and_where(self, photo: Photo) -> str:
        parts = (moment_in_words(photo.facts.taken), place_in_words(photo))
        return ", ".join(part for part in parts if part)

    def _arrived(self, picture: int) -> None:
        for held, tile in self._tiles:
            if held == picture:
                tile.show_pixmap(self._thumbnails.whole(picture, self._edge))
