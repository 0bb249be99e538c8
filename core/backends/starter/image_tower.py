"""EfficientNet-Lite0 through ONNX Runtime: what a photo looks like, as numbers."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.export import exported
from core.backends.starter.session import open_session
from core.domain.arrays import Float32Array, PixelArray

_BATCH = 8
_SIZE = 224
FEATURES = 2848
CLASSES = 1000


class ImageTower:
    """One forward pass a photo gives 2848 features and 1000 class scores."""

    def __init__(self, manifest: ModelManifest, cache: Path, threads: int = 2) -> None:
        weights = verified(manifest, "image_weights")
        self.size = manifest.image_size or _SIZE
        onnx_file = exported(weights, manifest.files["image_weights"].sha256, self.size, cache)
        self._threads = threads
        # several passes side by side, one thread each, cost a third less than threads in one pass
        self._session = open_session(onnx_file, threads=1)

    def features(self, photos: PixelArray) -> tuple[Float32Array, Float32Array]:
        """Features (n, 2848) and logits (n, 1000) of upright sRGB photos, uint8 (n, s, s, 3)."""
        self._check(photos)
        parts = [photos[k : k + _BATCH] for k in range(0, len(photos), _BATCH)]
        if not parts:
            return np.zeros((0, FEATURES), np.float32), np.zeros((0, CLASSES), np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            features, logits = zip(*pool.map(self._run, parts), strict=True)
        return np.concatenate(features), np.concatenate(logits)

    def _run(self, photos: PixelArray) -> tuple[Float32Array, Float32Array]:
        features, logits = self._session.run(None, {"photos": np.ascontiguousarray(photos)})
        return features, logits

    def _check(self, photos: PixelArray) -> None:
        if photos.dtype != np.uint8 or photos.shape[1:] != (self.size, self.size, 3):
            raise ValueError(
                f"photos must be uint8 (n, {self.size}, {self.size}, 3), "
                f"not {photos.dtype} {photos.shape}"
            )
