"""EfficientNet-Lite0 and -Lite2 through ONNX Runtime: what a photo looks like, as numbers."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.export import exported
from core.backends.starter.session import open_session
from core.domain.arrays import Float32Array, PixelArray

_BATCH = 8
_SIZE = 224
# the part that each network's weights play in the manifest, in the order of the features
NETWORKS = {"image_weights": "efficientnet-lite0", "image_weights_2": "efficientnet-lite2"}
WIDTHS = (2848, 2992)
TOP = 1280
FEATURES = sum(WIDTHS)
CLASSES = 1000


class ImageTower:
    """One pass of each network a photo gives 5840 features and 1000 class scores."""

    def __init__(self, manifest: ModelManifest, cache: Path, threads: int = 2) -> None:
        self.size = manifest.image_size or _SIZE
        self._threads = threads
        # several passes side by side, one thread each, cost a third less than threads in one pass
        self._sessions = [
            open_session(_onnx_file(manifest, role, self.size, cache), threads=1)
            for role in NETWORKS
        ]

    def features(self, photos: PixelArray) -> tuple[Float32Array, Float32Array]:
        """Features (n, 5840) and mean logits (n, 1000) of upright sRGB photos.

        `photos` is uint8 (n, s, s, 3). The features of the first network stand first.
        """
        self._check(photos)
        parts = [photos[k : k + _BATCH] for k in range(0, len(photos), _BATCH)]
        if not parts:
            return np.zeros((0, FEATURES), np.float32), np.zeros((0, CLASSES), np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            features, logits = zip(*pool.map(self._run, parts), strict=True)
        return np.concatenate(features), np.concatenate(logits)

    def _run(self, photos: PixelArray) -> tuple[Float32Array, Float32Array]:
        feeds = {"photos": np.ascontiguousarray(photos)}
        features, logits = zip(*(s.run(None, feeds) for s in self._sessions), strict=True)
        return np.concatenate(features, axis=1), np.mean(logits, axis=0, dtype=np.float32)

    def _check(self, photos: PixelArray) -> None:
        if photos.dtype != np.uint8 or photos.shape[1:] != (self.size, self.size, 3):
            raise ValueError(
                f"photos must be uint8 (n, {self.size}, {self.size}, 3), "
                f"not {photos.dtype} {photos.shape}"
            )


def _onnx_file(manifest: ModelManifest, role: str, size: int, cache: Path) -> Path:
    weights = verified(manifest, role)
    return exported(weights, manifest.files[role].sha256, NETWORKS[role], size, cache)
