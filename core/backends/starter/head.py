"""The small head of our own that joins the two towers in one space."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from core.domain.arrays import Float32Array
from core.errors import ModelCorrupt

_NEEDED = ("image.mean", "image.scale", "image.weight", "text.mean", "text.weight")


class Head:
    """One linear map of standardised image features and one of centred sentence embeddings."""

    def __init__(self, tensors: Mapping[str, Float32Array]) -> None:
        missing = [name for name in _NEEDED if name not in tensors]
        if missing:
            raise ModelCorrupt(f"The head lacks {missing[0]}.", "Reinstall the application.")
        self._tensors = {name: np.asarray(tensors[name], np.float32) for name in _NEEDED}
        self.dim = len(self._tensors["text.weight"])

    def images(self, features: Float32Array) -> Float32Array:
        """Unit rows (n, dim) from the image tower's features (n, 5840).

        A photo's vector is the same to the last bit whatever it is batched with: an interrupted
        run, whose batches fall elsewhere, ends like an undisturbed one.
        """
        part = self._tensors
        x = (features - part["image.mean"]) * part["image.scale"]
        rows = [part["image.weight"] @ row for row in x]
        return _unit(np.asarray(rows, np.float32).reshape(len(x), self.dim))

    def texts(self, sentences: Float32Array) -> Float32Array:
        """Unit rows (n, dim) from sentence embeddings (n, 384)."""
        part = self._tensors
        x = sentences - part["text.mean"]
        return _unit(np.asarray(x @ part["text.weight"].T, np.float32))


def read_head(path: Path) -> Head:
    """The head in a safetensors file; raises ModelCorrupt where it is not one."""
    try:
        return Head(load_file(path))
    except SafetensorError as error:
        raise ModelCorrupt(f"{path.name} cannot be read.", "Reinstall the application.") from error


def _unit(rows: Float32Array) -> Float32Array:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)
