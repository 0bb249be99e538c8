"""How surely photos show a thing that has several names."""

from collections.abc import Sequence

import numpy as np

from core.domain.arrays import Float32Array
from core.protocols import PresenceModel


def presence_of(
    presence: PresenceModel, phrases: Sequence[str], image_vectors: Float32Array
) -> Float32Array:
    """The greatest probability of any of the phrases in each photo (n, dim): (n)."""
    found = presence.probabilities(phrases, image_vectors)
    return np.asarray(found.max(axis=0), np.float32)


def likeness_of(
    presence: PresenceModel, phrases: Sequence[str], image_vectors: Float32Array
) -> Float32Array:
    """As `presence_of`, were every thing equally common."""
    found = presence.likeness(phrases, image_vectors)
    return np.asarray(found.max(axis=0), np.float32)
