"""The small head of our own that joins the two towers in one space."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from core.domain.arrays import Float32Array
from core.errors import ModelCorrupt

_NEEDED = (
    "image.mean",
    "image.scale",
    "image.hidden.weight",
    "image.hidden.bias",
    "image.out.weight",
    "image.out.bias",
    "image.skip.weight",
    "text.mean",
    "text.scale",
    "text.weight",
    "text.bias",
)


class Head:
    """Several small networks side by side; a vector is their unit outputs joined, over √k.

    The weights of the k members are stacked on the first axis. An image member is a residual
    network of one hidden layer, out(relu(hidden(x))) + skip(x); a text member is linear.
    """

    def __init__(self, tensors: Mapping[str, Float32Array]) -> None:
        missing = [name for name in _NEEDED if name not in tensors]
        if missing:
            raise ModelCorrupt(f"The head lacks {missing[0]}.", "Reinstall the application.")
        self._tensors = {name: np.asarray(tensors[name], np.float32) for name in _NEEDED}
        members, width, _ = self._tensors["text.weight"].shape
        self.dim = int(members * width)

    def images(self, features: Float32Array) -> Float32Array:
        """Unit rows (n, dim) from the image tower's features (n, 2848)."""
        part = self._tensors
        x = (features - part["image.mean"]) * part["image.scale"]
        hidden = _linear(x, part["image.hidden.weight"], part["image.hidden.bias"])
        out = np.maximum(hidden, 0) @ part["image.out.weight"].transpose(0, 2, 1)
        out += part["image.out.bias"][:, None, :]
        out += x @ part["image.skip.weight"].transpose(0, 2, 1)
        return _joined(np.asarray(out, np.float32))

    def texts(self, sentences: Float32Array) -> Float32Array:
        """Unit rows (n, dim) from sentence embeddings (n, 384)."""
        part = self._tensors
        x = (sentences - part["text.mean"]) * part["text.scale"]
        return _joined(_linear(x, part["text.weight"], part["text.bias"]))


def read_head(path: Path) -> Head:
    """The head in a safetensors file; raises ModelCorrupt where it is not one."""
    try:
        return Head(load_file(path))
    except SafetensorError as error:
        raise ModelCorrupt(f"{path.name} cannot be read.", "Reinstall the application.") from error


def _linear(x: Float32Array, weight: Float32Array, bias: Float32Array) -> Float32Array:
    """Every member's linear map of the same rows: (members, n, width)."""
    return np.asarray(x @ weight.transpose(0, 2, 1) + bias[:, None, :], np.float32)


def _joined(members: Float32Array) -> Float32Array:
    """Unit rows of each member, side by side, as unit rows."""
    norms = np.linalg.norm(members, axis=2, keepdims=True)
    unit = members / np.maximum(norms, 1e-12) / np.sqrt(np.float32(len(members)))
    rows = unit.transpose(1, 0, 2).reshape(members.shape[1], -1)
    return np.ascontiguousarray(rows, np.float32)
