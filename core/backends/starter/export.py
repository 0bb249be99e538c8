"""Writes the image network as an ONNX file, once, in a process of its own.

torch is slow to import and large, so only the child process ever does; the ONNX file stays in a
cache folder and is used from then on.
"""

import multiprocessing
import os
import signal
import tempfile
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from core.errors import ModelCrashed, ModelError, ModelMissing

_OPSET = 17
_NEEDED = (
    ("torch", "torch"),
    ("efficientnet_lite_pytorch", "efficientnet-lite-pytorch"),
)


def exported(weights: Path, weights_sha256: str, network: str, size: int, cache: Path) -> Path:
    """The ONNX file of a network's weights in the cache folder, written first where it is missing.

    It takes photos as uint8 (n, size, size, 3) and gives features (n, f), logits (n, 1000).
    The features are the 1280 that the classifier sees, then the means and deviations of each
    stage's channels: colour and texture, which the last layer has forgotten.
    The name carries the weights' checksum, so other weights never meet an old file.
    Raises ModelMissing without torch, ModelCrashed where the export fails.
    """
    target = cache / f"{network}-{weights_sha256[:16]}-{size}-v1.onnx"
    if target.is_file():
        return target
    _require_packages()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=cache, suffix=".part")
    except OSError as error:
        raise ModelError(
            f"The cache folder {cache} cannot be written: {error.strerror}.",
            "Make it writable, or name another one in the environment as XDG_CACHE_HOME.",
        ) from error
    os.close(handle)
    partial = Path(name)
    try:
        _run_export(weights, network, size, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def write_onnx(weights: str, network: str, size: int, target: str) -> None:
    """Load the weights and write the ONNX file; the body of the child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    warnings.simplefilter("ignore")  # the exporter talks of its own future, to nobody here
    import torch  # noqa: PLC0415 - only the child process pays for torch
    from efficientnet_lite_pytorch import EfficientNet  # noqa: PLC0415

    class Tower(torch.nn.Module):  # type: ignore[misc]
        """Photos as bytes in, pooled features and class scores out."""

        def __init__(self) -> None:
            super().__init__()
            self.net = EfficientNet.from_name(network)
            state = torch.load(weights, weights_only=True, map_location="cpu")
            self.net.load_state_dict(state)
            self.ends = stage_ends([b._block_args.output_filters for b in self.net._blocks])

        def forward(self, photos: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            """Scale the bytes as the network was trained, then one pass."""
            net, moments = self.net, []
            x = (photos.permute(0, 3, 1, 2).float() - 127.0) / 128.0
            x = net._swish(net._bn0(net._conv_stem(x)))
            for k, block in enumerate(net._blocks):
                x = block(x, drop_connect_rate=None)
                if k in self.ends:
                    mean = x.mean((2, 3))
                    moments += [mean, ((x * x).mean((2, 3)) - mean * mean).clamp(min=0).sqrt()]
            top = net._swish(net._bn1(net._conv_head(x))).mean((2, 3))
            return torch.cat([top, *moments], 1), net._fc(top)

    torch.onnx.export(
        Tower().eval(),
        (torch.zeros(1, size, size, 3, dtype=torch.uint8),),
        target,
        input_names=["photos"],
        output_names=["features", "logits"],
        dynamic_axes={name: {0: "n"} for name in ("photos", "features", "logits")},
        opset_version=_OPSET,
        dynamo=False,
    )


def stage_ends(widths: Sequence[int]) -> tuple[int, ...]:
    """The blocks after which the number of channels changes, and the last one."""
    last = len(widths) - 1
    return tuple(k for k, width in enumerate(widths) if k == last or width != widths[k + 1])


def _require_packages() -> None:
    for module, install in _NEEDED:
        if find_spec(module) is None:
            raise ModelMissing(
                f"{install} is needed once, to prepare the starter encoder.",
                f"pip install {install}",
            )


def _run_export(weights: Path, network: str, size: int, target: Path) -> None:
    context = multiprocessing.get_context("spawn")
    child = context.Process(target=write_onnx, args=(str(weights), network, size, str(target)))
    child.start()
    try:
        child.join()
    finally:  # also where the user will not wait
        if child.is_alive():
            child.kill()
            child.join()
    if child.exitcode != 0 or target.stat().st_size == 0:
        raise ModelCrashed(
            "The starter encoder could not be prepared.",
            "Install torch and efficientnet-lite-pytorch again, and see the log.",
        )
