"""Opens the towers before there is a manifest: the one that training writes rests on them."""

import tomllib
from pathlib import Path
from typing import Any

from core.backends.manifest import ModelManifest
from core.backends.starter.image_tower import ImageTower
from core.backends.starter.text_tower import TextTower

BASE = Path(__file__).parent / "base.toml"


def base_table() -> dict[str, Any]:
    """The part of the manifest that training does not decide."""
    return tomllib.loads(BASE.read_text(encoding="utf-8"))


def base_manifest() -> ModelManifest:
    """A manifest of the towers alone."""
    table = {**base_table(), "version": "base", "dims": {"sentence": 384}, "folder": BASE.parent}
    return ModelManifest.model_validate(table)


def open_towers(cache: Path, threads: int) -> tuple[ImageTower, TextTower]:
    """Both towers; the ONNX file of the image tower is kept in the cache folder.

    Raises ModelMissing, ModelCorrupt, ModelCrashed.
    """
    manifest = base_manifest()
    return ImageTower(manifest, cache, threads), TextTower(manifest, threads)
