"""Qt without a screen, and what most tests of the window need."""

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap

from app.tasks.runner import TaskRunner
from app.theme import Theme, Variant


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says that it ignores size hints; that is no fault of ours."""
    for item in items:
        if "tests/app" in item.path.as_posix():
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


class PaintedSource:
    """A picture source that has everything at once and counts what it is asked for."""

    def __init__(self, caption: str = "a photo") -> None:
        self.asked: list[int] = []
        self._caption = caption

    def pixmap(self, picture: int, edge: int) -> QPixmap | None:
        self.asked.append(picture)
        pixmap = QPixmap(edge, edge)
        pixmap.fill("#336699")
        return pixmap

    def caption(self, picture: int) -> str:
        return self._caption

    def path(self, picture: int) -> Path | None:
        return Path(f"/photos/{picture}.jpg")

    def is_broken(self, picture: int) -> bool:
        return False


@pytest.fixture
def source() -> PaintedSource:
    return PaintedSource()


@pytest.fixture
def theme(qapp) -> Theme:
    made = Theme(Variant.LIGHT)
    made.apply()
    return made


@pytest.fixture
def runner(qapp) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    made.shutdown()
