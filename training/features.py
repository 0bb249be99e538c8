"""Runs both towers over a folder of captioned photos once, and keeps what they say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from core.backends.starter.image_tower import FEATURES, ImageTower
from core.backends.starter.text_tower import TextTower
from core.domain.arrays import Float32Array, Int64Array, PixelArray
from training.dataset import CaptionedPhotos
from training.views import View

_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Features:
    """What the towers say of a data set.

    `plain` (photos, 5840): every photo as it is. `views[v]` (train photos, 5840): the photos of
    the training split seen in other ways. `sentences` (captions, 384), `photo_of` (captions,):
    row of the photo that a caption is of.
    """

    plain: Float32Array
    views: tuple[Float32Array, ...]
    sentences: Float32Array
    photo_of: Int64Array


def read_features(
    data: CaptionedPhotos, towers: tuple[ImageTower, TextTower], views: list[View], cache: Path
) -> Features:
    """The features of a data set, from the cache folder where they are there already."""
    cache.mkdir(parents=True, exist_ok=True)
    image_tower, text_tower = towers
    every, train = range(len(data.names)), data.rows("train")
    kind = FEATURES  # a cache of other networks is not this one
    plain = _cached(
        cache / f"plain-{kind}.npy", partial(_seen, data, image_tower, View("plain"), every)
    )
    seen = tuple(
        _cached(cache / f"{view.name}-{kind}.npy", partial(_seen, data, image_tower, view, train))
        for view in views
    )
    captions = [caption for own in data.captions for caption in own]
    photo_of = np.repeat(np.arange(len(data.names)), [len(own) for own in data.captions])
    sentences = _cached(cache / "sentences.npy", partial(text_tower.encode_texts, captions))
    return Features(plain, seen, sentences, photo_of)


def _seen(
    data: CaptionedPhotos, tower: ImageTower, view: View, rows: Sequence[int]
) -> Float32Array:
    """What the tower says of some photos in one view."""
    parts = []
    for start in range(0, len(rows), _CHUNK):
        photos = [_pixels(data, row, view, tower.size) for row in rows[start : start + _CHUNK]]
        parts.append(tower.features(np.stack(photos))[0])
    return np.concatenate(parts)


def _pixels(data: CaptionedPhotos, row: int, view: View, size: int) -> PixelArray:
    with Image.open(data.path(row)) as photo:
        return view.pixels(photo.convert("RGB"), row, size)


def _cached(path: Path, make: Callable[[], Float32Array]) -> Float32Array:
    if not path.is_file():
        unfinished = path.with_suffix(".part.npy")
        np.save(unfinished, make())
        unfinished.replace(path)
    return np.asarray(np.load(path), np.float32)
