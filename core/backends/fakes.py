"""Small honest stand-ins for models: they see colours, so that everything runs in seconds.

They are used by tests and by the benchmark's smoke suite, never chosen for a user's library.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.domain.arrays import Float32Array, PixelArray
from core.domain.place import GeoPoint, PlaceName
from core.domain.profile import Concept
from core.protocols import Perception

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (220, 40, 40),
    "green": (40, 170, 60),
    "blue": (40, 80, 220),
    "yellow": (240, 220, 60),
    "orange": (245, 140, 30),
    "purple": (140, 50, 170),
    "pink": (250, 150, 190),
    "brown": (120, 75, 40),
    "black": (15, 15, 15),
    "white": (245, 245, 245),
    "grey": (128, 128, 128),
}
_UNSEEN = 4
_KM_PER_DEGREE = 111.0
"""Dimensions for words that are no colour: they are never in a photo."""


class ColourEncoder:
    """Photos are their shares of named colours; phrases are the colours that they name."""

    name = "colours-1"
    dim = len(COLOURS) + _UNSEEN
    image_size = 32

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """Shares of each colour, (n, dim), unit rows."""
        palette = np.array(list(COLOURS.values()), np.float32)
        rows = np.zeros((len(pixels), self.dim), np.float32)
        for row, picture in zip(rows, pixels, strict=True):
            flat = picture.reshape(-1, 3).astype(np.float32)
            nearest = ((flat[:, None, :] - palette) ** 2).sum(-1).argmin(1)
            row[: len(COLOURS)] = np.bincount(nearest, minlength=len(COLOURS)) / len(flat)
        return _unit(rows)

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Equal parts of the colours named, (n, dim), unit rows."""
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = text.lower().replace(",", " ").replace(".", " ").split()
            for index, colour in enumerate(COLOURS):
                row[index] = words.count(colour)
            if not row.any():
                row[len(COLOURS) + sum(map(ord, text)) % _UNSEEN] = 1.0
        return _unit(rows)


class ColourPresence:
    """A colour is present as far as its share of the photo's vector says."""

    present_above = 0.35
    absent_below = 0.15
    exclude_above = 0.25
    nothing_matches_below = 0.2
    near_duplicate_above = 0.999

    def __init__(self, encoder: ColourEncoder) -> None:
        self._encoder = encoder

    def probabilities(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """Cosine clipped to 0..1, (phrases, photos)."""
        texts = self._encoder.encode_texts(phrases)
        return np.asarray(np.clip(texts @ image_vectors.T, 0.0, 1.0), np.float32)

    def likeness(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """The same: no colour is more common than another."""
        return self.probabilities(phrases, image_vectors)


class ColourConcepts:
    """Describes photos by the names of their colours."""

    def concepts(self, image_vectors: Float32Array) -> list[tuple[Concept, ...]]:
        """The colours with a noticeable share, best first."""
        names = list(COLOURS)
        described = []
        for row in image_vectors[:, : len(names)]:
            seen = [Concept(names[i], float(row[i])) for i in np.argsort(-row) if row[i] > 0.15]
            described.append(tuple(seen))
        return described

    def proxy_vectors(self, image_vectors: Float32Array) -> Float32Array:
        """The photo's own vector: words and photos share the space here."""
        return image_vectors


class TinyGazetteer:
    """Knows five towns."""

    towns = (
        PlaceName("Arezzo", "Tuscany", "IT", 0.0, GeoPoint(43.463, 11.880)),
        PlaceName("Vienna", "Vienna", "AT", 0.0, GeoPoint(48.208, 16.372)),
        PlaceName("Lisbon", "Lisbon", "PT", 0.0, GeoPoint(38.717, -9.133)),
        PlaceName("Sydney", "New South Wales", "AU", 0.0, GeoPoint(-33.868, 151.207)),
        PlaceName("Moab", "Utah", "US", 0.0, GeoPoint(38.573, -109.549)),
    )

    version = "tiny"

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The nearest town by plain difference of degrees, and how far it is at most."""
        towns = (min(self.towns, key=lambda town: _degrees(town.point, p)) for p in points)
        return [
            replace(town, distance_km=_degrees(town.point, point) * _KM_PER_DEGREE)
            for town, point in zip(towns, points, strict=True)
        ]

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """The town of that name."""
        return tuple(town for town in self.towns if town.name.lower() == name.strip().lower())


def fake_perception() -> Perception:
    """All stand-ins together."""
    encoder = ColourEncoder()
    return Perception(encoder, encoder, ColourPresence(encoder), ColourConcepts())


def _degrees(one: GeoPoint, other: GeoPoint) -> float:
    return abs(one.latitude - other.latitude) + abs(one.longitude - other.longitude)


def _unit(rows: Float32Array) -> Float32Array:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)
