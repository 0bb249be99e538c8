"""Tells that memory ran out, whichever device says it in whichever words."""

_SIGNS = (
    "out of memory",
    "alloc_failed",
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "failed to allocate",
    "bad_alloc",
    "out_of_device_memory",
    "out_of_host_memory",
    "out_of_resources",
    "invalid buffer size",
)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of torch says so: CUDA, XPU (by class), MPS and CPU (by their words)."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    words = str(error).lower()
    return isinstance(error, RuntimeError) and any(sign in words for sign in _SIGNS)
