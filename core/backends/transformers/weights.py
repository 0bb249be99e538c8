"""Reads a model, its processor or its tokenizer from a folder; nothing is downloaded or run."""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from core.backends.transformers.libraries import transformers_library
from core.errors import ModelCorrupt, ModelMissing, ModelUnsupported

_REINSTALL = "Install the model again."
_PICKLES = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl"})
_FAULTS = (OSError, ValueError, RuntimeError, KeyError, TypeError, SafetensorError)
_LOCAL = {"local_files_only": True, "trust_remote_code": False}


def read_model(folder: Path) -> Any:
    """The model in float32 with all its weights: transformers would make up those that are missing.

    Raises ModelMissing, ModelCorrupt, ModelUnsupported.
    """
    _refuse_other_weights(folder)
    transformers = transformers_library()
    _refuse_unknown_kind(transformers, folder)
    try:
        model, loaded = transformers.AutoModel.from_pretrained(
            folder, use_safetensors=True, dtype="float32", output_loading_info=True, **_LOCAL
        )
    except _FAULTS as error:
        raise ModelCorrupt(f"The model in {folder.name} cannot be loaded.", _REINSTALL) from error
    if loaded["missing_keys"] or loaded["mismatched_keys"]:
        raise ModelCorrupt(f"The model in {folder.name} is not whole.", _REINSTALL)
    return model.eval()


def read_processor(folder: Path) -> Any:
    """What prepares photos and texts for the model; raises ModelCorrupt."""
    return _read(transformers_library().AutoProcessor, folder, "processor")


def read_tokenizer(folder: Path) -> Any:
    """What cuts texts into tokens; raises ModelCorrupt."""
    return _read(transformers_library().AutoTokenizer, folder, "tokenizer")


def _read(kind: Any, folder: Path, what: str) -> Any:
    try:
        return kind.from_pretrained(folder, **_LOCAL)
    except (*_FAULTS, ImportError) as error:
        raise ModelCorrupt(f"The {what} in {folder.name} is damaged.", _REINSTALL) from error


def _refuse_other_weights(folder: Path) -> None:
    """Safetensors only: a pickle may run anything when it is read."""
    if any(folder.glob("*.safetensors")):
        return
    if any(path.suffix in _PICKLES for path in folder.glob("*")):
        advice = "Get the model's .safetensors files: other formats may hide programs."
        raise ModelCorrupt(f"The model in {folder.name} has no safetensors weights.", advice)
    raise ModelMissing(f"The model {folder.name} is not installed.", _REINSTALL)


def _refuse_unknown_kind(transformers: Any, folder: Path) -> None:
    """A kind of model that is younger than the library is no damage."""
    try:
        config, _ = transformers.PretrainedConfig.get_config_dict(folder, local_files_only=True)
    except _FAULTS as error:
        raise ModelCorrupt(f"The model in {folder.name} cannot be loaded.", _REINSTALL) from error
    kind = config.get("model_type", "")
    if kind and kind not in transformers.CONFIG_MAPPING:
        raise ModelUnsupported(
            f"transformers {transformers.__version__} does not know models of the kind {kind!r}.",
            "Update it: pip install -U transformers",
        )
