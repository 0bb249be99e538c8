"""The preview: one photo, large, with what is known of it; keys lead on, back and out."""

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.preview.controller import LargePicture
from app.preview.facts import PhotoDetails
from app.preview.panel import FactsPanel
from app.preview.picture import Picture
from app.theme import Theme
from app.thumbnails import Thumbnails
from app.widgets.item_model import Pictures
from app.widgets.labels import ElidedLabel, button, dress, plain_label
from app.words import count_in_words

_THUMBNAIL_EDGE = 512
_SETTLE_MS = 120
"""A key held down leafs through thumbnails; the full picture is read when it rests."""


class PreviewScreen(QWidget):
    """Shows the photos of a list one by one; the thumbnail first, then the full picture."""

    read_wanted = Signal(int, int)
    closed = Signal(int)
    similar_wanted = Signal(int)

    def __init__(self, thumbnails: Thumbnails, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._thumbnails, self._theme = thumbnails, theme
        self._pictures: Pictures = np.empty(0, np.int64)
        self._place = 0
        self._full = False
        self.picture_view = Picture(theme)
        self.panel = FactsPanel(theme)
        self._position = plain_label(role="muted")
        self._name = ElidedLabel()
        self._note = plain_label(role="note", wrap=True)
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self._read)
        self._arrange()
        thumbnails.arrived.connect(self._arrived)
        self.picture_view.clicked_side.connect(self.step)
        self.picture_view.resized.connect(self._settled.start)

    @property
    def note(self) -> str:
        """Why the photo is shown small; empty where it is not."""
        return "" if self._note.isHidden() else self._note.text()

    @property
    def current(self) -> int:
        """The photo that is shown, -1 for none."""
        return int(self._pictures[self._place]) if len(self._pictures) else -1

    def open(self, pictures: Pictures, place: int) -> None:
        """Show the photo at a place of a list."""
        self._pictures, self._place = pictures, place
        self._show()
        self.setFocus()

    def step(self, way: int) -> None:
        """Go on, or back where negative; stays at the ends."""
        place = min(max(self._place + way, 0), len(self._pictures) - 1)
        if place != self._place:
            self._place = place
            self._show()

    def show_details(self, details: PhotoDetails) -> None:
        """Show a photo's facts, unless another photo is shown by now."""
        if details.photo.id == self.current:
            self._name.setText(details.photo.path.name)
            self.panel.show_details(details)

    def show_picture(self, large: LargePicture) -> None:
        """Show the full picture, unless another photo is shown by now."""
        if large.photo_id != self.current:
            return
        self._note.setText(self.tr("{} This is its small picture.").format(large.fault))
        self._note.setVisible(bool(large.fault))
        if large.image.isNull():
            self.picture_view.show_pixmap(self.picture_view.pixmap, broken=True)
        else:
            self._full = True
            self.picture_view.show_pixmap(QPixmap.fromImage(large.image), whole=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows leaf, Home and End jump, Esc closes."""
        count = len(self._pictures)
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -count,
            Qt.Key.Key_End: count,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self.step(steps[key])
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
            self.close_preview()
        else:
            super().keyPressEvent(event)

    def close_preview(self) -> None:
        """Go back to where the photo was opened from."""
        self.closed.emit(self.current)

    def _show(self) -> None:
        self._full = False
        self._name.clear()
        self._note.hide()
        counted = self.tr("{0} of {1}")
        here, all_of_them = count_in_words(self._place + 1), count_in_words(len(self._pictures))
        self._position.setText(counted.format(here, all_of_them))
        self.picture_view.show_pixmap(self._thumbnails.whole(self.current, _THUMBNAIL_EDGE))
        self._settled.start()

    def _read(self) -> None:
        if self.current >= 0 and self.isVisible():
            size, ratio = self.picture_view.size(), self.devicePixelRatioF()
            self.read_wanted.emit(self.current, round(max(size.width(), size.height()) * ratio))

    def _arrived(self, picture: int) -> None:
        if picture == self.current and not self._full:
            pixmap = self._thumbnails.whole(picture, _THUMBNAIL_EDGE)
            self.picture_view.show_pixmap(pixmap, broken=self._thumbnails.is_broken(picture))

    def _arrange(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addLayout(self._toolbar())
        left.addWidget(self._note)
        left.addWidget(self.picture_view, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(left, 1)
        whole.addWidget(self.panel)

    def _toolbar(self) -> QHBoxLayout:
        similar = button(self.tr("Use as reference"))
        dress(similar, self._theme, "search")
        similar.setToolTip(self.tr("Search from this photo (Ctrl+R)"))
        similar.clicked.connect(lambda: self.similar_wanted.emit(self.current))
        back = self._tool("back", self.tr("Back (Esc)"))
        back.clicked.connect(self.close_preview)
        before = self._tool("left", self.tr("The photo before (Left)"))
        before.clicked.connect(lambda: self.step(-1))
        after = self._tool("right", self.tr("The next photo (Right)"))
        after.clicked.connect(lambda: self.step(1))
        facts = self._tool("info", self.tr("Show or hide what is known of the photo"))
        facts.setCheckable(True)
        facts.setChecked(True)
        facts.toggled.connect(self.panel.setVisible)
        line = QHBoxLayout()
        line.setContentsMargins(14, 10, 14, 4)
        line.setSpacing(8)
        left: tuple[QWidget, ...] = (back, self._name, self._position)
        right: tuple[QWidget, ...] = (before, after, similar, facts)
        for widget in left:
            line.addWidget(widget, 1 if widget is self._name else 0)
        for widget in right:
            line.addWidget(widget)
        return line

    def _tool(self, icon: str, tooltip: str) -> QToolButton:
        tool = QToolButton()
        dress(tool, self._theme, icon)
        tool.setToolTip(tooltip)
        tool.setAccessibleName(tooltip)
        tool.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return tool
