"""Drive the real window over a library and save what it looks like to docs/screenshots.

    python docs/make_screenshots.py LIBRARY --query "a dog, without people" --brief "a day out"

Runs without a screen. Use a library of photos that may be shown to everyone.
"""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QEventLoop, QTimer

from app.desktop import make_application
from app.startup import opened_engine
from app.tasks.runner import Lane
from app.theme import Theme, Variant
from app.window import MainWindow

_SIZE = (1360, 860)
_REST_MS = 700


@dataclass(frozen=True, slots=True)
class Photographer:
    """A window, and the folder that its pictures go to."""

    window: MainWindow
    folder: Path

    def take(self, name: str) -> None:
        """Wait until nothing is on its way, then save the window."""
        self.rest()
        self.window.grab().save(str(self.folder / f"{name}.png"))

    def rest(self) -> None:
        """Wait until no task runs and every thumbnail that is seen is there."""
        _wait(_REST_MS)
        while any(self.window.runner.running(lane) for lane in Lane):
            _wait(50)
        self.window.grab()  # painting asks for the thumbnails that are missing
        _wait(_REST_MS)


def main() -> None:
    """Save one picture a screen."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    app = make_application(sys.argv[:1])
    with opened_engine(options.library) as engine:
        theme = Theme(Variant.LIGHT)
        theme.apply()
        window = MainWindow(engine, theme)
        window.resize(*_SIZE)
        window.show()
        photographer = Photographer(window, options.out)
        for name, step in _steps(window, options):
            step()
            photographer.take(name)
        window.close()
    app.quit()


def _steps(
    window: MainWindow, options: argparse.Namespace
) -> list[tuple[str, Callable[[], object]]]:
    model = window.library_screen.model

    def search() -> None:
        window.bar.line.setText(options.query)
        window.search()

    def story() -> None:
        window.focus_story()
        window.story_screen.line.setText(options.brief)
        window.story_screen.asked.emit()

    def why() -> None:
        window.show_place("search")
        results = window.search_screen
        results.grid.setCurrentIndex(results.model.index(0, 0))
        window.toggle_why()

    def dark() -> None:
        window.toggle_theme()
        window.show_place("library")

    return [
        ("library", lambda: window.show_place("library")),
        ("preview", lambda: window.open_preview(model.pictures, model.picture(0))),
        ("results", search),
        ("why", why),
        ("story", story),
        ("problems", lambda: window.show_place("problems")),
        ("dark", dark),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("library", type=Path, help="the library's folder")
    parser.add_argument("--query", default="a dog on the beach, without people")
    parser.add_argument("--brief", default="a day by the sea, from arrival to sunset")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "screenshots")
    return parser.parse_args()


def _wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
