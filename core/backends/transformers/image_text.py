"""CLIP, SigLIP, SigLIP 2 and their kin from a local folder, through transformers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from core.backends.text_recipe import TextRecipe
from core.backends.transformers.choice import Choice, squares_like_photos
from core.backends.transformers.libraries import torch_library
from core.backends.transformers.placed import PlacedModel
from core.backends.transformers.tokens import tokens_of
from core.backends.transformers.weights import read_model, read_processor
from core.domain.arrays import Float32Array, PixelArray
from core.errors import ModelUnsupported


class TransformersEncoder:
    """Implements ImageTextEncoder with a folder of safetensors weights; nothing is downloaded.

    Squares go through the model's own processor, which at `image_size` only normalises them.
    `name` must change with the weights. `choice` says where to run; without it that is measured
    once and remembered in `cache`. Raises ModelMissing, ModelCorrupt, ModelUnsupported,
    ModelOutOfMemory.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        recipe: TextRecipe | None = None,
        choice: Choice | None = None,
        cache: Path | None = None,
    ) -> None:
        self._name = name
        self._recipe = recipe or TextRecipe()
        self.placed = PlacedModel(torch_library(), lambda: read_model(folder), name)
        self._config = self.placed.model.config
        _refuse_other_kinds(self.placed.model, name)
        self._processor = read_processor(folder)
        self._dim = int(self.encode_texts(["photo"]).shape[1])
        self.placed.settle_down(choice, self._probe, cache)

    @property
    def name(self) -> str:
        """Name and version: vectors of different names never mix."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    @property
    def image_size(self) -> int:
        """Side in pixels of the squares that `encode_images` takes."""
        vision = self._config.vision_config
        if hasattr(vision, "image_size"):
            return int(vision.image_size)
        return int(vision.num_patches**0.5) * int(vision.patch_size)

    @property
    def crops(self) -> bool:
        """Whether it was trained on the middle of photos, else on whole ones, squashed."""
        return bool(getattr(self._processor.image_processor, "do_center_crop", False))

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """Unit rows (n, dim) of upright sRGB squares, uint8 (n, size, size, 3)."""
        return self.placed.rows(pixels, self._images) if len(pixels) else self._nothing()

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, dim) of n phrases, each cut to the model's longest."""
        return self.placed.rows(list(texts), self._texts) if texts else self._nothing()

    def _images(self, pixels: PixelArray) -> Any:
        pictures = [Image.fromarray(square) for square in pixels]
        inputs = self._processor.image_processor(images=pictures, return_tensors="pt")
        return _features(self.placed.model.get_image_features(**self.placed.inputs(inputs)))

    def _texts(self, texts: Sequence[str]) -> Any:
        words = [self._recipe.query_prefix + text for text in texts]
        full_rows = self._recipe.full_rows
        if full_rows is None:  # SigLIP read full rows without a mask
            full_rows = str(self._config.model_type).startswith("siglip")
        longest = self._recipe.max_tokens or self._config.text_config.max_position_embeddings
        recipe = self._recipe.model_copy(update={"full_rows": full_rows, "max_tokens": longest})
        inputs = tokens_of(self._processor.tokenizer, words, recipe)
        return _features(self.placed.model.get_text_features(**self.placed.inputs(inputs)))

    def _probe(self, rows: int) -> Float32Array:
        return self.encode_images(squares_like_photos(rows, self.image_size))

    def _nothing(self) -> Float32Array:
        return np.empty((0, self._dim), np.float32)


def _refuse_other_kinds(model: Any, name: str) -> None:
    if hasattr(model, "get_image_features") and hasattr(model, "get_text_features"):
        return
    raise ModelUnsupported(
        f"{name} is no model that puts photos and texts into one space.",
        "Use a model of the CLIP, SigLIP or SigLIP 2 kind.",
    )


def _features(found: Any) -> Any:
    """A tensor; transformers 5 wraps the features in an output object."""
    return getattr(found, "pooler_output", found)
