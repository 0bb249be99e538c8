"""Drive the real window over the sample library and save what it looks like to docs/screenshots.

    python docs/make_screenshots.py

Runs without a screen, over a library that it makes of the sample photographs in a folder of its
own, so that the pictures show nothing of the machine that they were made on.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QImage

from app.desktop import make_application
from app.search.bar import Chosen
from app.startup import opened_engine
from app.tasks.runner import Lane
from app.theme import Theme, Variant
from app.window import MainWindow
from core.engine import Engine
from core.progress import Progress
from sample.photographs import make_samples

_SAMPLES = Path(__file__).resolve().parent.parent / ".venv" / "samples"
_SIZE = (1280, 800)
_REST_MS = 700
_COLOURS = 256
_MOST_BYTES = 400_000


@dataclass(frozen=True, slots=True)
class Photographer:
    """A window, and the folder that its pictures go to."""

    window: MainWindow
    folder: Path

    def take(self, name: str) -> None:
        """Wait until nothing is on its way, then save the window with few colours."""
        self.rest()
        target = self.folder / f"{name}.png"
        image = self.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        rows = Image.frombuffer(
            "RGB", (image.width(), image.height()), bytes(image.constBits()), "raw", "RGB",
            image.bytesPerLine(), 1,
        )  # fmt: skip
        small = rows.quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        small.save(target, optimize=True)
        size = target.stat().st_size
        if size > _MOST_BYTES:
            raise SystemExit(f"{target.name} has {size} bytes, more than {_MOST_BYTES}")

    def rest(self) -> None:
        """Wait until no task runs and every thumbnail that is seen is there."""
        _wait(_REST_MS)
        while any(self.window.runner.running(lane) for lane in Lane if lane is not Lane.BACKGROUND):
            _wait(50)
        self.window.grab()  # painting asks for the thumbnails that are missing
        _wait(_REST_MS)


def main() -> None:
    """Save one picture a screen."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))  # models stay there
        os.environ["HOME"] = home
        _take_all(Path(home), options)


def _take_all(home: Path, options: argparse.Namespace) -> None:
    app = make_application(sys.argv[:1])
    photos = home / "Pictures"
    make_samples(_SAMPLES, photos)
    with opened_engine(home / "library") as engine:
        engine.index([photos], Progress())
        theme = Theme(Variant.LIGHT)
        theme.apply()
        window = MainWindow(engine, theme)
        window.resize(*_SIZE)
        window.show()
        photographer = Photographer(window, options.out)
        for name, step in _steps(window, engine, photos, options):
            step()
            photographer.take(name)
        window.close()
    app.quit()


def _steps(
    window: MainWindow, engine: Engine, photos: Path, options: argparse.Namespace
) -> list[tuple[str, Callable[[], object]]]:
    model = window.library_screen.model

    def picture(name: str) -> int:
        photo = engine.photo_at(photos / name)
        if photo is None:
            raise SystemExit(f"{name} is not in the library")
        return photo.id

    def search() -> None:
        window.bar.refer_to(Chosen(picture(options.reference)))
        window.bar.line.setText(options.query)
        window.search()

    def story() -> None:
        window.bar.clear()
        window.focus_story()
        window.story_screen.line.setText(options.brief)
        window.story_screen.asked.emit()

    def preview() -> None:
        window.show_place("library")
        window.open_preview(model.pictures, picture(options.photo))

    def dark() -> None:
        window.escape()
        window.toggle_theme()
        window.bar.line.setText(options.dark_query)
        window.search()
        Photographer(window, options.out).rest()
        results = window.search_screen
        results.grid.setCurrentIndex(results.model.index(0, 0))
        window.toggle_why()

    return [
        ("library", lambda: window.show_place("library")),
        ("search", search),
        ("story", story),
        ("preview", preview),
        ("dark", dark),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--reference", default="cheetah-portrait.jpg")
    parser.add_argument("--query", default="an animal running, and no people")
    parser.add_argument("--brief", default="our safari in Tanzania, big cats")
    parser.add_argument("--dark-query", default="the night sky", help="asked in the dark look")
    parser.add_argument("--photo", default="quokka.jpg", help="what the preview shows")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "screenshots")
    return parser.parse_args()


def _wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
