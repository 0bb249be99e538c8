"""Photos to vectors, concepts and proxies, a batch at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array
from core.domain.profile import Concept
from core.protocols import Perception

BATCH = 32
"""Photos in one call of the encoder and in one transaction."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors (n, dim), proxies (n, text dim) and concepts of n photos."""

    vectors: Float32Array
    proxies: Float32Array
    concepts: list[tuple[Concept, ...]]


def embed_squares(squares: Sequence[bytes], perception: Perception) -> Embedded:
    """Look at photos given as encoder inputs, image_size x image_size x 3 bytes each."""
    side = perception.encoder.image_size
    pixels = np.frombuffer(b"".join(squares), np.uint8).reshape(-1, side, side, 3)
    return describe_vectors(perception.encoder.encode_images(pixels), perception)


def describe_vectors(vectors: Float32Array, perception: Perception) -> Embedded:
    """The same from vectors that are known: no photo is looked at again."""
    concepts = perception.concepts
    return Embedded(vectors, concepts.proxy_vectors(vectors), concepts.concepts(vectors))
