"""Imports torch and transformers when the first such model is opened, and not before."""

from typing import Any

from core.errors import ModelMissing


def torch_library() -> Any:
    """The torch module; raises ModelMissing."""
    try:
        import torch  # noqa: PLC0415 - heavy, loaded with the first model
    except ImportError as error:
        raise ModelMissing("torch is not installed.", _INSTALL) from error
    return torch


def transformers_library() -> Any:
    """The transformers module; raises ModelMissing."""
    try:
        import transformers  # noqa: PLC0415 - heavy, loaded with the first model
    except ImportError as error:
        raise ModelMissing("transformers is not installed.", _INSTALL) from error
    return transformers


_INSTALL = "Run: pip install 'photoapp[starter]'"
