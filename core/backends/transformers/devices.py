"""Which devices torch can use here, and what gives their memory back.

CUDA, MPS and XPU are unverified on hardware that was not at hand: tests drive this with fakes.
"""

import hashlib
import platform
from typing import Any

CPU = "cpu"


def devices(torch: Any) -> list[str]:
    """Every device that is there, the processor last."""
    return [name for name in ("cuda", "mps", "xpu") if _available(torch, name)] + [CPU]


def half_precisions(torch: Any, device: str) -> tuple[str, ...]:
    """The half precisions of a device, in the order in which they are tried."""
    if device == "cuda" and not torch.cuda.is_bf16_supported():
        return ("float16",)
    return ("bfloat16",) if device == CPU else ("bfloat16", "float16")


def free_memory(torch: Any, device: str) -> None:
    """Give back what the device keeps for later."""
    kind = device.partition(":")[0]
    if kind != CPU and hasattr(torch, kind):
        getattr(torch, kind).empty_cache()


def settle(torch: Any, device: str) -> None:
    """Wait until everything that was asked of the device is done."""
    kind = device.partition(":")[0]
    if kind != CPU and hasattr(torch, kind):
        getattr(torch, kind).synchronize()


def machine(torch: Any) -> str:
    """Changes when another device, processor or library may be faster than before."""
    threads = torch.get_num_threads()
    parts = [platform.machine(), platform.processor(), str(threads), str(torch.__version__)]
    for kind in devices(torch):
        named = getattr(getattr(torch, kind, None), "get_device_name", None)
        parts.append(str(named(0)) if named and kind != CPU else kind)
    parts.append(_processor_model())
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def _available(torch: Any, name: str) -> bool:
    part = getattr(torch.backends if name == "mps" else torch, name, None)
    return part is not None and bool(part.is_available())


def _processor_model() -> str:
    """What Linux calls the processor; elsewhere `platform.processor` says it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
            return next((line for line in lines if line.startswith("model name")), "")
    except OSError:
        return ""
