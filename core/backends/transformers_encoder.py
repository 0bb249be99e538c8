"""CLIP, SigLIP and their kin from a local folder, through transformers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from safetensors import SafetensorError

from core.domain.arrays import Float32Array, PixelArray
from core.errors import ModelCorrupt, ModelMissing

_REINSTALL = "Install the model again."


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """`device` as torch names it, the best one where empty; rows computed at a time."""

    device: str = ""
    batch_size: int = 32


class TransformersEncoder:
    """Implements ImageTextEncoder with a folder of safetensors weights; nothing is downloaded.

    Squares go through the model's own processor, which at `image_size` only normalises them.
    `name` must change with the weights. Raises ModelMissing, ModelCorrupt.
    """

    def __init__(self, folder: Path, name: str, options: EncoderOptions | None = None) -> None:
        _refuse_other_weights(folder)
        self._name = name
        self._options = options or EncoderOptions()
        self._torch, transformers = _libraries()
        self._device = self._options.device or _best_device(self._torch)
        self._model = _model(transformers, folder).eval().to(self._device)
        self._processor = _processor(transformers, folder)
        self._dim: int = self._texts(["photo"]).shape[1]

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
        return int(self._model.config.vision_config.image_size)

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """Unit rows (n, dim) of upright sRGB squares, uint8 (n, size, size, 3)."""
        return self._stacked(self._images(batch) for batch in self._batches(pixels))

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Unit rows (n, dim) of n phrases, each cut to the model's longest."""
        return self._stacked(self._texts(batch) for batch in self._batches(texts))

    def _images(self, pixels: PixelArray) -> Float32Array:
        pictures = [Image.fromarray(square) for square in pixels]
        inputs = self._processor.image_processor(images=pictures, return_tensors="pt")
        with self._torch.inference_mode():
            found = self._model.get_image_features(inputs["pixel_values"].to(self._device))
        return _unit_rows(found)

    def _texts(self, texts: Sequence[str]) -> Float32Array:
        inputs = self._tokens(texts).to(self._device)
        with self._torch.inference_mode():
            found = self._model.get_text_features(**inputs)
        return _unit_rows(found)

    def _tokens(self, texts: Sequence[str]) -> Any:
        """Token ids, padded as in training: SigLIP read full rows without a mask."""
        full_rows = self._model.config.model_type.startswith("siglip")
        inputs = self._processor.tokenizer(
            list(texts),
            padding="max_length" if full_rows else True,
            truncation=True,
            max_length=self._model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        )
        if full_rows:
            inputs.pop("attention_mask", None)
        return inputs

    def _batches(self, items: Sequence[str] | PixelArray) -> Iterator[Any]:
        step = self._options.batch_size
        return (items[start : start + step] for start in range(0, len(items), step))

    def _stacked(self, parts: Iterator[Float32Array]) -> Float32Array:
        return np.concatenate([np.empty((0, self._dim), np.float32), *parts])


def _refuse_other_weights(folder: Path) -> None:
    """Safetensors only: a pickle may run anything when it is read."""
    if any(folder.glob("*.safetensors")):
        return
    if any(path.suffix in {".bin", ".pt", ".pth", ".ckpt", ".pkl"} for path in folder.glob("*")):
        advice = "Get the model's .safetensors files: other formats may hide programs."
        raise ModelCorrupt(f"The model in {folder.name} has no safetensors weights.", advice)
    raise ModelMissing(f"The model {folder.name} is not installed.", _REINSTALL)


def _libraries() -> tuple[Any, Any]:
    try:
        import torch  # noqa: PLC0415 - heavy, loaded with the first model
        import transformers  # noqa: PLC0415
    except ImportError as error:
        advice = "Run: pip install 'photoapp[starter]'"
        raise ModelMissing("torch or transformers is not installed.", advice) from error
    return torch, transformers


def _best_device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _model(transformers: Any, folder: Path) -> Any:
    """The model, with all its weights: transformers would make up those that are missing."""
    try:
        model, loaded = transformers.AutoModel.from_pretrained(
            folder,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            dtype="float32",
            output_loading_info=True,
        )
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        raise ModelCorrupt(f"The model in {folder.name} cannot be loaded.", _REINSTALL) from error
    if loaded["missing_keys"] or not hasattr(model, "get_image_features"):
        raise ModelCorrupt(f"The model in {folder.name} is not whole.", _REINSTALL)
    return model


def _processor(transformers: Any, folder: Path) -> Any:
    try:
        return transformers.AutoProcessor.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ModelCorrupt(f"The processor in {folder.name} is damaged.", _REINSTALL) from error


def _unit_rows(found: Any) -> Float32Array:
    """float32 rows of unit length; transformers 5 wraps the features in an output object."""
    features = getattr(found, "pooler_output", found)
    rows = features.float().cpu().numpy()
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)
