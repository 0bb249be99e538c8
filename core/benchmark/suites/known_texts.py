"""Encoders that know a suite's queries beforehand, encoded in batches."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.domain.arrays import Float32Array, PixelArray
from core.progress import Progress
from core.protocols import ImageTextEncoder, Perception, TextEncoder

_BATCH = 64


class KnownTexts:
    """The vectors of texts that an encoder encoded in batches; unknown texts go to it singly."""

    def __init__(self, encoder: TextEncoder, texts: Iterable[str], progress: Progress) -> None:
        """Encode the distinct texts."""
        self._encoder = encoder
        distinct = list(dict.fromkeys(texts))
        starts = range(0, len(distinct), _BATCH)
        rows = [
            encoder.encode_texts(distinct[start : start + _BATCH])
            for start in progress.track("encode queries", starts, total=len(starts))
        ]
        vectors = (row for batch in rows for row in batch)
        self._known = dict(zip(distinct, vectors, strict=True))

    @property
    def name(self) -> str:
        """The encoder's own name."""
        return self._encoder.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._encoder.dim

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Remembered vectors, or the encoder's own where any text is new; (n, dim)."""
        if texts and all(text in self._known for text in texts):
            return np.stack([self._known[text] for text in texts])
        return self._encoder.encode_texts(texts)


class KnownImageTexts(KnownTexts):
    """The same for an encoder that sees pictures too."""

    def __init__(self, encoder: ImageTextEncoder, texts: Iterable[str], progress: Progress) -> None:
        """Encode the distinct texts."""
        super().__init__(encoder, texts, progress)
        self._images = encoder

    @property
    def image_size(self) -> int:
        """Side in pixels of the squares that `encode_images` takes."""
        return self._images.image_size

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """The encoder's own."""
        return self._images.encode_images(pixels)


def knowing(perception: Perception, texts: Sequence[str], progress: Progress) -> Perception:
    """The same models, with the texts encoded beforehand."""
    return replace(
        perception,
        encoder=KnownImageTexts(perception.encoder, texts, progress),
        sentences=KnownTexts(perception.sentences, texts, progress),
    )
