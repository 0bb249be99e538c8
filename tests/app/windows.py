"""What tests of the whole window share: scenes, stand-ins for the models, drops."""

from datetime import datetime

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from core.backends.fakes import TinyGazetteer, fake_perception
from core.engine import Backends
from tests.core.pictures import Scene

WAIT_MS = 60_000
AREZZO, MOAB = (43.463, 11.880), (38.573, -109.549)
SCENES = (
    Scene("rose", "red", "", datetime(2021, 7, 3, 9), AREZZO, "+02:00"),
    Scene("flag", "red", "blue", datetime(2021, 7, 3, 11), AREZZO, "+02:00"),
    Scene("lake", "blue", "", datetime(2021, 7, 3, 15), AREZZO, "+02:00"),
    Scene("meadow", "green", "yellow", datetime(2021, 7, 4, 10), AREZZO, "+02:00"),
    Scene("canyon", "orange", "brown", datetime(2022, 10, 1, 8), MOAB, "-06:00"),
    Scene("sky", "blue", "white", datetime(2022, 10, 1, 12), MOAB, "-06:00"),
    Scene("night", "black", "purple", datetime(2022, 10, 1, 22), MOAB, "-06:00"),
)
FAKES = Backends(perception=lambda progress: fake_perception(), gazetteer=TinyGazetteer)


def drop(target, data: QMimeData) -> None:
    copy, left, keys = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(9, 9), copy, data, left, keys))
    QApplication.sendEvent(target, QDropEvent(QPointF(9, 9), copy, data, left, keys))
