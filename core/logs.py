"""Logging: one rotating file a library; file names and places only at DEBUG."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to_folder(folder: Path, level: int = logging.INFO) -> logging.Handler:
    """Write the engine's log to `folder`; returns the handler, so that it can be closed."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(
        folder / "photoapp.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.setLevel(level)
    logger = logging.getLogger("core")
    logger.setLevel(level)
    logger.addHandler(handler)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    """Close a handler that `log_to_folder` opened."""
    logging.getLogger("core").removeHandler(handler)
    handler.close()
