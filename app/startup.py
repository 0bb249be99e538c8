"""From options to an opened engine; knows no Qt."""

import logging
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import metadata
from pathlib import Path

from core.engine import Engine
from core.errors import PhotoAppError
from core.loaded import Backends
from core.logs import log_to_folder, stop_logging
from core.paths import LibraryPaths, default_library

_log = logging.getLogger(__name__)


def library_folder(chosen: Path | None) -> Path:
    """The library's folder: the chosen one, else the platform's."""
    return (chosen or default_library()).absolute()


@contextmanager
def opened_engine(chosen: Path | None, backends: Backends | None = None) -> Iterator[Engine]:
    """An engine over the chosen library, its log written beside it; raises LibraryError."""
    forbid_hub_connections()
    folder = library_folder(chosen)
    with ExitStack() as opened:
        is_new = not folder.is_dir()
        if not is_new:
            opened.enter_context(opened_log(folder))
        engine = Engine.open(folder, backends)
        opened.callback(engine.close)
        if is_new:
            opened.enter_context(opened_log(folder))
        yield engine


@contextmanager
def opened_log(folder: Path) -> Iterator[None]:
    """A log beside the library, which notes known errors by their kind."""
    handler = log_to_folder(LibraryPaths(folder).logs)
    _log.info("photoapp %s, Python %s, %s", version(), platform.python_version(), sys.platform)
    try:
        yield
    except PhotoAppError as error:
        _log.error("ended by %s", error.kind)
        raise
    finally:
        stop_logging(handler)


def version() -> str:
    """This program's version, as installed."""
    try:
        return metadata.version("photoapp")
    except metadata.PackageNotFoundError:
        return "(run from its source, not installed)"


def forbid_hub_connections() -> None:
    """Tell model libraries that nothing may be fetched: the application is offline by default."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
