"""Qt without a screen, and what most tests of the window need."""

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap

from app.tasks.runner import Lane, TaskRunner
from app.theme import Theme, Variant
from app.window import MainWindow
from core.engine import Engine
from core.loaded import Backends
from core.progress import Progress
from core.settings import WatchSettings
from tests.app.windows import WAIT_MS
from tests.core.pictures import FAKES, SCENES, draw


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


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for scene in SCENES:
        draw(folder, scene)
    (folder / "torn.jpg").write_bytes(b"\xff\xd8\xff\xe0 and nothing more")
    return folder


@pytest.fixture(scope="module")
def filled(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    engine = Engine.open(folder, FAKES)
    engine.index([photos], Progress())
    engine.close()
    return folder


@pytest.fixture
def open_window(qtbot, qapp) -> Iterator:
    opened: list[tuple[MainWindow, Engine]] = []

    def make(library: Path, backends: Backends = FAKES, *, watching: bool = False) -> MainWindow:
        theme = Theme(Variant.LIGHT)
        theme.apply()
        engine = Engine.open(library, backends)
        soon = WatchSettings(enabled=watching, quiet_s=0.2, longest_s=2, poll_s=0.2)
        engine.loaded.settings = engine.settings.model_copy(update={"watch": soon})
        window = MainWindow(engine, theme)
        opened.append((window, engine))
        window.show()
        qtbot.waitExposed(window)
        qtbot.waitUntil(lambda: not window.runner.running(Lane.QUERY), timeout=WAIT_MS)
        return window

    yield make
    for window, engine in opened:
        window.close()
        engine.close()
        window.deleteLater()


@pytest.fixture
def window(open_window, filled: Path) -> MainWindow:
    return open_window(filled)
