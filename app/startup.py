"""From options to an opened engine; knows no Qt."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.engine import Backends, Engine
from core.logs import log_to_folder, stop_logging
from core.paths import LibraryPaths, default_library


def library_folder(chosen: Path | None) -> Path:
    """The library's folder: the chosen one, else the platform's."""
    return (chosen or default_library()).absolute()


@contextmanager
def opened_engine(chosen: Path | None, backends: Backends | None = None) -> Iterator[Engine]:
    """An engine over the chosen library, its log written beside it; raises LibraryError."""
    forbid_hub_connections()
    folder = library_folder(chosen)
    engine = Engine.open(folder, backends)
    handler = log_to_folder(LibraryPaths(folder).logs)
    try:
        yield engine
    finally:
        engine.close()
        stop_logging(handler)


def forbid_hub_connections() -> None:
    """Tell model libraries that nothing may be fetched: the application is offline by default."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
