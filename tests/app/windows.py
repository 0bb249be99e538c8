"""What tests of the whole window share: scenes, stand-ins for the models, drops."""

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

WAIT_MS = 60_000


def drop(target, data: QMimeData) -> None:
    copy, left, keys = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(9, 9), copy, data, left, keys))
    QApplication.sendEvent(target, QDropEvent(QPointF(9, 9), copy, data, left, keys))
