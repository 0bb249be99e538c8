"""Where the starter set's files lie, and whether they are the ones that the manifest names."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from core.backends.starter.manifest import FileEntry
from core.errors import ModelCorrupt, ModelMissing

_CHUNK = 1 << 20


def located(entry: FileEntry, models: Path) -> Path:
    """The path of one file, in its package or in the models folder.

    Raises ModelMissing where the package or the file is absent.
    """
    path = _package_folder(entry.package) / entry.path if entry.package else models / entry.path
    if path.is_file():
        return path
    advice = f"pip install --force-reinstall {entry.install}" if entry.install else "reinstall"
    raise ModelMissing(f"The model file {path.name} is not there.", f"Install it: {advice}.")


def verified(entry: FileEntry, models: Path) -> Path:
    """The path of one file whose size and sha256 are those of the manifest.

    Raises ModelMissing, or ModelCorrupt where the content differs.
    """
    path = located(entry, models)
    if path.stat().st_size != entry.size or sha256_of(path) != entry.sha256:
        advice = f"Install {entry.install or 'the application'} again."
        raise ModelCorrupt(f"The model file {path.name} has the wrong checksum.", advice)
    return path


def sha256_of(path: Path) -> str:
    """The sha256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _package_folder(package: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        name = package.replace("_", "-")
        raise ModelMissing(f"The package {name} is not installed.", f"pip install {name}")
    return Path(spec.origin).parent
