"""Logging: one rotating file a library; file names and places only at DEBUG."""

import logging
import traceback
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

_LOGGERS = ("core", "app")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_to_folder(folder: Path, level: int = logging.INFO) -> logging.Handler:
    """Write the log of engine and window to `folder`; the handler is returned, to be closed.

    Where the folder cannot be written, or can no longer be, all else goes on without a log.
    """
    handler = _handler(folder)
    with_names = level <= logging.DEBUG
    handler.setFormatter(logging.Formatter(_FORMAT) if with_names else _WithoutNames(_FORMAT))
    handler.setLevel(level)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.addHandler(handler)
    return handler


def _handler(folder: Path) -> logging.Handler:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _QuietFile(
            folder / "photoapp.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8"
        )
    except OSError:
        return logging.NullHandler()


class _QuietFile(RotatingFileHandler):
    """A file whose disk may be full: a line that cannot be written is left out."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Say nothing: there is nowhere to say it."""


class _WithoutNames(logging.Formatter):
    """Errors by their kinds and the places in our code: their words may hold names of files."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        """The frames and kinds of an error and of those that it came from, first cause first."""
        error: BaseException | None = ei[1]
        parts: list[str] = []
        while error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [f"  {Path(f.filename).name}:{f.lineno} {f.name}" for f in frames]
            parts.append("\n".join([*lines, type(error).__name__]))
            error = error.__cause__ or error.__context__
        return "\n".join(reversed(parts))


def stop_logging(handler: logging.Handler) -> None:
    """Close a handler that `log_to_folder` opened."""
    for name in _LOGGERS:
        logging.getLogger(name).removeHandler(handler)
    with suppress(OSError):  # a full disk may refuse the last lines
        handler.close()
