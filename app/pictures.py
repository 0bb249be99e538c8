"""Reading pictures that the engine has made, in the size that the screen wants.

Originals are never read here: the engine decodes them in a process of its own.
"""

from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

_LIMIT_MB = 512


def read_square(path: Path, edge: int) -> QImage:
    """The middle of a picture as a square of `edge` pixels; a null image if it cannot be read."""
    image = _read(path, edge, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
    if image.isNull():
        return image
    left, top = (image.width() - edge) // 2, (image.height() - edge) // 2
    return image.copy(QRect(max(0, left), max(0, top), edge, edge))


def read_whole(path: Path, edge: int) -> QImage:
    """A whole picture, its long side at most `edge` pixels; a null image if unreadable."""
    return _read(path, edge, Qt.AspectRatioMode.KeepAspectRatio)


def _read(path: Path, edge: int, fit: Qt.AspectRatioMode) -> QImage:
    QImageReader.setAllocationLimit(_LIMIT_MB)
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    stored = reader.size()
    wanted = stored.scaled(QSize(edge, edge), fit)
    shrinks = stored.isValid() and wanted.width() < stored.width()
    if shrinks:
        reader.setScaledSize(wanted)
    image = reader.read()
    larger = fit is Qt.AspectRatioMode.KeepAspectRatioByExpanding
    if not image.isNull() and (larger or image.width() > edge or image.height() > edge):
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(QSize(edge, edge), fit, smooth)
    return image
