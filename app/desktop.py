"""The application with its window: Qt begins here."""

import logging
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QLibraryInfo
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from app.display import demand_platform
from app.signals import SignalWatch
from app.startup import opened_engine
from app.theme import Theme
from app.window import MainWindow

_log = logging.getLogger(__name__)
_FAMILIES = ("Inter", "SF Pro Text", "Segoe UI Variable", "Segoe UI", "Cantarell", "Ubuntu")
_DULL = ("DejaVu Sans", "Sans Serif", "Sans")
"""What a platform without a font of its own offers."""


def run(library: Path | None) -> int:
    """Open the library and its window; returns the exit code.

    Raises LibraryError, WindowUnavailable.
    """
    begun = time.monotonic()
    demand_platform(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)))
    app = make_application(sys.argv[:1])
    with opened_engine(library) as engine:
        theme = Theme()
        theme.apply()
        window = MainWindow(engine, theme)
        window.errors.watch_uncaught()
        window.show()
        _log.info("window shown %.2f s after the start", time.monotonic() - begun)
        watch = SignalWatch(window.close)
        code = app.exec()
        watch.stop()
        if not window.stopped:  # work that cannot be stopped; the library bears a sudden end
            _log.warning("ended while work was still running")
            os._exit(code)
        return code


def make_application(words: list[str]) -> QApplication:
    """The one QApplication, with its names and its font."""
    app = QApplication(words)
    app.setApplicationName("photoapp")
    app.setApplicationDisplayName("photoapp")
    QGuiApplication.setDesktopFileName("photoapp")
    app.setFont(_font(app.font()))
    return app


def _font(font: QFont) -> QFont:
    """A font made for screens, where the platform offers a dull one and a better is installed."""
    if font.family() in _DULL:
        installed = set(QFontDatabase.families())
        font.setFamilies([name for name in _FAMILIES if name in installed] + [font.family()])
    return font
