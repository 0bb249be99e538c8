"""Ways to see a photo in training: as it is, mirrored, cropped and recoloured."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from core.domain.arrays import PixelArray

_SMALLEST_AREA = 0.5
_CONTRAST = 0.2
_TINT = 0.07


@dataclass(frozen=True, slots=True)
class View:
    """One way to see every photo: `crop` draws an own part, colours and side for each."""

    name: str
    mirror: bool = False
    crop: bool = False
    seed: int = 0

    def pixels(self, photo: Image.Image, row: int, size: int) -> PixelArray:
        """The photo as this view shows it, uint8 (size, size, 3); the same for the same row."""
        if not self.crop:
            plain = np.asarray(photo.resize((size, size), Image.Resampling.BICUBIC))
            return plain[:, ::-1] if self.mirror else plain
        return _cropped(photo, np.random.default_rng((self.seed, row)), size)


def training_views(crops: int, seed: int) -> list[View]:
    """The mirrored view and some random crops."""
    return [View("mirror", mirror=True)] + [
        View(f"crop{k}", crop=True, seed=seed + k) for k in range(crops)
    ]


def _cropped(photo: Image.Image, rng: np.random.Generator, size: int) -> PixelArray:
    width, height = (
        side * np.sqrt(rng.uniform(_SMALLEST_AREA, 1)) for side in (photo.width, photo.height)
    )
    left, top = rng.uniform(0, photo.width - width), rng.uniform(0, photo.height - height)
    box = (left, top, left + width, top + height)
    part = np.asarray(photo.resize((size, size), Image.Resampling.BICUBIC, box=box), np.float32)
    contrast = rng.uniform(1 - _CONTRAST, 1 + _CONTRAST)
    light = rng.uniform(1 - _CONTRAST, 1 + _CONTRAST)
    tint = rng.uniform(1 - _TINT, 1 + _TINT, 3)
    coloured = ((part - 128) * contrast + 128 * light) * tint
    out = np.clip(coloured, 0, 255).astype(np.uint8)
    return out[:, ::-1] if rng.random() < 0.5 else out
