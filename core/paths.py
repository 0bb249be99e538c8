"""Where the application keeps its things."""

import os
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import platformdirs

_APP = "photoapp"


def plain_path(path: Path) -> Path:
    """An absolute path in the one spelling that names it: without `..` and a doubled root.

    Links stay as they are, unless a `..` follows one, which only the file system can tell.
    """
    if ".." in path.parts or path.anchor == "//":
        return Path(os.path.realpath(path))
    return path.absolute()


def is_folder(path: Path) -> bool:
    """Whether a folder is there and in reach; a path that may not be looked at is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_empty(folder: Path) -> bool:
    """Whether a folder can be listed and holds nothing."""
    try:
        return next(folder.iterdir(), None) is None
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether a file is there and in reach; a path that may not be looked at is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def default_library() -> Path:
    """The library's folder when the user names none."""
    return Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "library"


def model_cache() -> Path:
    """Where model files that can be made or fetched again are kept."""
    return Path(platformdirs.user_cache_dir(_APP, appauthor=False)) / "models"


def data_folder(name: str) -> Path:
    """A folder of shipped data, `models` or `resources`, installed or in a checkout."""
    installed = Path(str(resources.files("core"))) / "_data" / name
    return installed if installed.is_dir() else Path(__file__).resolve().parent.parent / name


@dataclass(frozen=True, slots=True)
class LibraryPaths:
    """The parts of one library's folder; all of it can be carried away together."""

    root: Path

    @property
    def database(self) -> Path:
        """The SQLite file: the truth."""
        return self.root / "library.sqlite"

    @property
    def thumbnails(self) -> Path:
        """Small pictures by content hash; may be deleted."""
        return self.root / "thumbnails"

    @property
    def pictures(self) -> Path:
        """Pictures that fill a screen, the last ones that were looked at; may be deleted."""
        return self.root / "pictures"

    @property
    def vectors(self) -> Path:
        """Caches of vector indexes; may be deleted."""
        return self.root / "vectors"

    @property
    def backups(self) -> Path:
        """Copies of the database, made now and then and before migrations and repairs."""
        return self.root / "backups"

    @property
    def set_aside(self) -> Path:
        """Databases that a repair or a backup has replaced, as they were."""
        return self.root / "set-aside"

    @property
    def settings(self) -> Path:
        """The library's settings, a TOML file that a person may edit."""
        return self.root / "settings.toml"

    @property
    def logs(self) -> Path:
        """Rotating log files."""
        return self.root / "logs"

    def vector_cache(self, model: str) -> Path:
        """The cache of one model's vectors."""
        return self.vectors / f"{re.sub(r'[^A-Za-z0-9.+-]', '_', model)}.npz"

    def thumbnail(self, content_hash: str) -> Path:
        """The thumbnail of a photo, in one of 256 folders."""
        return self.thumbnails / content_hash[:2] / f"{content_hash}.jpg"
