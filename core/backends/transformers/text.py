"""Sentence encoders such as bge-m3 and Qwen3-Embedding, as their manifests' recipes say."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.backends.text_recipe import TextRecipe
from core.backends.transformers.choice import Choice
from core.backends.transformers.libraries import torch_library
from core.backends.transformers.placed import PlacedModel
from core.backends.transformers.tokens import tokens_of
from core.backends.transformers.weights import read_model, read_tokenizer
from core.domain.arrays import Float32Array
from core.errors import ModelCorrupt

_LONGEST = 512
_SENTENCE = "two children run along a beach at sunset while a dog waits beside a red umbrella"


class TransformersTextEncoder:
    """Implements TextEncoder: `encode_texts` for what is looked for, `encode_documents` for what
    is looked through.

    `name` must change with the weights. Raises ModelMissing, ModelCorrupt, ModelUnsupported,
    ModelOutOfMemory.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        recipe: TextRecipe,
        choice: Choice | None = None,
        cache: Path | None = None,
    ) -> None:
        if recipe.pooling == "model":
            raise ModelCorrupt(f"{name} does not say how tokens are pooled.", "Name its pooling.")
        self._name = name
        self._recipe = recipe.model_copy(update={"max_tokens": recipe.max_tokens or _LONGEST})
        self.placed = PlacedModel(torch_library(), lambda: read_model(folder), name)
        self._tokenizer = read_tokenizer(folder)
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

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, dim) of n queries, with the prefix that the model expects of them."""
        return self._encoded([self._recipe.query_prefix + text for text in texts])

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, dim) of n texts that queries are compared with."""
        return self._encoded([self._recipe.text_prefix + text for text in texts])

    def _encoded(self, texts: Sequence[str]) -> Float32Array:
        """Texts of like length share a batch: padding costs as much as words do."""
        if not texts:
            return np.empty((0, self._dim), np.float32)
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        made = self.placed.rows([texts[row] for row in order], self._pooled)
        rows = np.empty_like(made)
        rows[order] = made
        return rows

    def _pooled(self, texts: Sequence[str]) -> Any:
        inputs = self.placed.inputs(tokens_of(self._tokenizer, texts, self._recipe))
        hidden = self.placed.model(**inputs).last_hidden_state
        return pooled(hidden, inputs["attention_mask"], self._recipe)

    def _probe(self, rows: int) -> Float32Array:
        return self.encode_documents([f"{_SENTENCE} {row}" for row in range(rows)])


def pooled(hidden: Any, mask: Any, recipe: TextRecipe) -> Any:
    """One row a text (n, dim) of hidden states (n, tokens, dim); padding counts for nothing."""
    rows = range(len(hidden))
    if recipe.pooling == "mean":
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return (hidden * weights).sum(1) / weights.sum(1)
    if recipe.pooling == "first":
        return hidden[rows, mask.argmax(1)]
    return hidden[rows, mask.shape[1] - 1 - mask.flip(1).argmax(1)]
