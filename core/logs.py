"""Logging: one rotating file a library; file names and places only at DEBUG."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

_LOGGERS = ("core", "app")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to_folder(folder: Path, level: int = logging.INFO) -> logging.Handler:
    """Write the log of engine and window to `folder`; the handler is returned, to be closed.

    Where the folder cannot be written there is no log, and all else goes on.
    """
    handler = _handler(folder)
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.setLevel(level)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.addHandler(handler)
    return handler


def _handler(folder: Path) -> logging.Handler:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(
            folder / "photoapp.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8"
        )
    except OSError:
        return logging.NullHandler()


def stop_logging(handler: logging.Handler) -> None:
    """Close a handler that `log_to_folder` opened."""
    for name in _LOGGERS:
        logging.getLogger(name).removeHandler(handler)
    handler.close()
