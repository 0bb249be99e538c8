"""all-MiniLM-L6-v2 in int8 through ONNX Runtime: what a sentence means, as numbers."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.session import open_session
from core.domain.arrays import Float32Array
from core.errors import ModelMissing

_MAX_TOKENS = 256
_BATCH = 32
_FEW = 64
_REMEMBERED = 1024


class TextTower:
    """Sentence embeddings of 384 dimensions; implements the sentence space of the starter set."""

    def __init__(self, manifest: ModelManifest, threads: int = 2) -> None:
        model = verified(manifest, "text_weights")
        tokenizer = verified(manifest, "text_tokenizer")
        self.dim = manifest.dims["sentence"]
        self.name = manifest.identity + "-sentence"
        self._tokenizer = _open_tokenizer(str(tokenizer))
        self._session = open_session(model, threads)
        self._recent: dict[str, Float32Array] = {}
        self._asking = threading.Lock()

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, 384) of n texts: mean over the tokens, normalised.

        Few texts are remembered: the steps of one search ask for the same phrases.
        """
        if not 0 < len(texts) <= _FEW:
            return self._encode(texts)
        with self._asking:
            fresh = [text for text in dict.fromkeys(texts) if text not in self._recent]
            self._recent.update(zip(fresh, self._encode(fresh), strict=True))
            rows = np.stack([self._recent[text] for text in texts])
            for oldest in list(self._recent)[: max(0, len(self._recent) - _REMEMBERED)]:
                del self._recent[oldest]
        return rows

    def _encode(self, texts: Sequence[str]) -> Float32Array:
        """Texts of like length share a batch; each row is the same whatever it is batched with."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
        vectors = np.zeros((len(tokens), self.dim), np.float32)
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            vectors[rows] = self._batch([tokens[i] for i in rows])
        return vectors

    def _batch(self, tokens: list[list[int]]) -> Float32Array:
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, values in enumerate(tokens):
            ids[row, : len(values)] = values
            mask[row, : len(values)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, feeds)[0]
        weights = mask[..., None].astype(np.float32)
        pooled = (hidden * weights).sum(1) / weights.sum(1)
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True), np.float32)


def _open_tokenizer(path: str) -> Any:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - loaded with the first model
    except ImportError as error:
        raise ModelMissing("tokenizers is not installed.", "pip install tokenizers") from error
    tokenizer = Tokenizer.from_file(path)
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer
