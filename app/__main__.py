"""`photoapp`: a word or flag of the command line runs it, otherwise the window opens."""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from app.display import WindowUnavailable, demand_display
from core.errors import PhotoAppError

_KNOWN_ERROR = 1
_CANCELLED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line or the window; returns the exit code, 1 for a known error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    wanted, library = window_wanted(words)
    try:
        if not wanted:
            return int(_command_line().main(words))
        return _open_window(library)
    except KeyboardInterrupt:  # before a command listens to it, or a second time
        return _CANCELLED
    except PhotoAppError as error:
        sys.stderr.write(f"photoapp: {error.kind}: {error.message} {error.advice}\n")
        return _KNOWN_ERROR


def window_wanted(words: Sequence[str]) -> tuple[bool, Path | None]:
    """Whether these words ask for the window (none do but `--library DIR`), and which library."""
    match list(words):
        case []:
            return True, None
        case ["--library", folder] if folder and not folder.startswith("-"):
            return True, Path(folder)
        case [word] if word.startswith("--library=") and word != "--library=":
            return True, Path(word.removeprefix("--library="))
    return False, None


def _command_line() -> ModuleType:
    try:
        return importlib.import_module("app.cli")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("", "app", "core"):
            raise
        raise PhotoAppError(
            f"The package {error.name} is not installed.",
            "Install photoapp again: `pip install photoapp[starter]`.",
        ) from error


def _open_window(library: Path | None) -> int:
    demand_display()
    try:
        desktop = importlib.import_module("app.desktop")
    except ImportError as error:
        if not (error.name or str(error)).startswith(("PySide6", "shiboken6", "lib")):
            raise
        raise WindowUnavailable(
            f"The window's toolkit cannot be loaded: {error}.",
            "Install it with `pip install photoapp[gui]`, or use `photoapp --help`.",
        ) from error
    return int(desktop.run(library))


if __name__ == "__main__":
    sys.exit(main())
