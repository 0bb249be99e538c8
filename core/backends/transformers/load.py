"""Opens the encoder that a manifest describes."""

import hashlib
from pathlib import Path

from core.backends.manifest import ModelManifest, load_manifest, verified
from core.backends.transformers.image_text import TransformersEncoder
from core.backends.transformers.text import TransformersTextEncoder
from core.errors import UnknownChoice
from core.paths import model_cache
from core.progress import Progress


def open_image_text(name: str, progress: Progress) -> TransformersEncoder:
    """The image-text encoder of that name; its files are checked before they are read.

    Raises UnknownChoice, ModelError, Cancelled.
    """
    manifest = load_manifest(name)
    if (manifest.role, manifest.backend) != ("image_text", "transformers"):
        raise UnknownChoice(f"{name} is no further image-text encoder.", "See: photoapp models")
    place = _folder(manifest, progress), identity(manifest)
    return TransformersEncoder(*place, manifest.text, cache=model_cache() / "choices")


def open_text(name: str, progress: Progress) -> TransformersTextEncoder:
    """The text encoder of that name; raises UnknownChoice, ModelError, Cancelled."""
    manifest = load_manifest(name)
    if (manifest.role, manifest.backend) != ("text", "transformers"):
        raise UnknownChoice(f"{name} is no text encoder.", "See: photoapp models")
    place = _folder(manifest, progress), identity(manifest)
    return TransformersTextEncoder(*place, manifest.text, cache=model_cache() / "choices")


def identity(manifest: ModelManifest) -> str:
    """Name, version and weights: vectors of different identities never mix."""
    weights = "".join(file.sha256 for part, file in sorted(manifest.files.items()))
    return f"{manifest.identity}-{_short(weights)}"


def _folder(manifest: ModelManifest, progress: Progress) -> Path:
    """The folder in which all files of the model lie, each of them whole."""
    places = [verified(manifest, part, progress) for part in manifest.files]
    return min((place.parent for place in places), key=lambda folder: len(folder.parts))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
