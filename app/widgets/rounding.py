"""Square pictures with round corners and a hair line, drawn once a size and then only copied."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QTransform

from app.widgets.pixmap_cache import PixmapCache

RADIUS = 9.0
_CACHE_BYTES = 96 * 1024 * 1024


class RoundedPictures:
    """Keeps what it has drawn, within a number of bytes; used on the GUI thread alone."""

    def __init__(self) -> None:
        self._cache = PixmapCache(_CACHE_BYTES)

    def rounded(self, pixmap: QPixmap, side: int, ratio: float, line: QColor) -> QPixmap:
        """The picture as a rounded square of `side` logical pixels."""
        key = (pixmap.cacheKey(), side, ratio, line.rgba())
        held = self._cache.get(key)
        if held is None:
            held = _draw(pixmap, side, ratio, line)
            self._cache.put(key, held)
        return held


def _draw(pixmap: QPixmap, side: int, ratio: float, line: QColor) -> QPixmap:
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    scale = side / max(1, pixmap.width())
    brush = QBrush(pixmap)
    brush.setTransform(QTransform.fromScale(scale, scale))
    painter.setBrush(brush)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(QRectF(0, 0, side, side), RADIUS, RADIUS)
    painter.setBrush(Qt.BrushStyle.NoBrush)  # the line keeps white pictures apart from the page
    painter.setPen(QPen(line, 1))
    painter.drawRoundedRect(QRectF(0.5, 0.5, side - 1, side - 1), RADIUS, RADIUS)
    painter.end()
    return made
