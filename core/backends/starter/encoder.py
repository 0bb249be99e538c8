"""The starter encoder: photos and phrases in one space, offline, without torch."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.backends.manifest import ModelManifest, load_manifest, verified
from core.backends.starter.head import read_head
from core.backends.starter.image_tower import ImageTower
from core.backends.starter.text_tower import TextTower
from core.domain.arrays import Float32Array, PixelArray


class StarterEncoder:
    """Implements ImageTextEncoder; its `text_tower` implements TextEncoder.

    Photos must be upright sRGB squares into which the whole photo was squashed, aspect not
    kept: so were the photos that the head was trained on.
    """

    def __init__(self, manifest: ModelManifest, cache: Path, threads: int = 2) -> None:
        self.manifest = manifest
        self._head = read_head(verified(manifest, "head"))
        self._image_tower = ImageTower(manifest, cache, threads)
        self.text_tower = TextTower(manifest, threads)

    @property
    def name(self) -> str:
        """Name, version and weights: vectors of different names never mix."""
        return f"{self.manifest.identity}-{self.manifest.files['head'].sha256[:8]}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._head.dim

    @property
    def image_size(self) -> int:
        """Side in pixels of the squares that `encode_images` takes."""
        return self._image_tower.size

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """Unit rows (n, dim) of upright sRGB squares, uint8 (n, size, size, 3)."""
        return self._head.images(self._image_tower.features(pixels)[0])

    def encode_images_flipped(self, pixels: PixelArray) -> Float32Array:
        """As `encode_images`, the mean of each photo and its mirror image: twice the work."""
        both = self.encode_images(pixels) + self.encode_images(pixels[:, :, ::-1])
        norms = np.linalg.norm(both, axis=1, keepdims=True)
        return np.asarray(both / np.maximum(norms, 1e-12), np.float32)

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, dim) of n texts."""
        return self._head.texts(self.text_tower.encode_texts(texts))


def open_starter(models: Path, cache: Path, threads: int = 2) -> StarterEncoder:
    """The starter encoder of a models folder; its ONNX file is kept in the cache folder.

    Raises ModelMissing, ModelCorrupt, ModelCrashed.
    """
    return StarterEncoder(load_manifest("starter", models), cache, threads)
