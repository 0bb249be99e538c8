"""Opens an ONNX Runtime session."""

from pathlib import Path
from typing import Any

from core.errors import ModelCorrupt, ModelMissing


def open_session(path: Path, threads: int) -> Any:
    """A CPU session of an ONNX file with so many threads.

    Raises ModelMissing without ONNX Runtime, ModelCorrupt where the file cannot be loaded.
    """
    try:
        import onnxruntime as ort  # noqa: PLC0415 - heavy, loaded with the first model
        from onnxruntime.capi.onnxruntime_pybind11_state import (  # noqa: PLC0415
            Fail,
            InvalidGraph,
            InvalidProtobuf,
        )
    except ImportError as error:
        raise ModelMissing("ONNX Runtime is not installed.", "pip install onnxruntime") from error
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # waiting threads sleep: other processes decode photos on the same cores meanwhile
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf) as error:
        raise ModelCorrupt(
            f"The model file {path.name} cannot be loaded.", "Delete it and try again."
        ) from error
