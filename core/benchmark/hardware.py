"""What a benchmark ran on: processor, memory, system, package versions, and its peak memory."""

import importlib.metadata
import os
import platform
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_PACKAGES = (
    "photoapp",
    "numpy",
    "pillow",
    "faiss-cpu",
    "highspy",
    "sqlalchemy",
    "onnxruntime",
    "torch",
    "transformers",
    "llama-cpp-python",
)
_SAMPLE_S = 0.2
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Hardware:
    """A machine in words and numbers; `cores` are those that this process may use."""

    cpu: str
    cores: int
    memory_mb: int
    system: str


def hardware() -> Hardware:
    """The machine that this process runs on."""
    memory = psutil.virtual_memory().total // _MB
    return Hardware(_cpu_model(), usable_cores(), memory, platform.platform())


def usable_cores() -> int:
    """The cores that this process may use, which a container or an affinity may restrict."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Versions of Python and of the installed packages that decide what a benchmark measures."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


@dataclass(slots=True)
class PeakMemory:
    """The largest resident memory seen so far, in bytes, of this process and its children.

    Sampled five times a second; pages that processes share count in each of them.
    """

    peak: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def sample(self) -> None:
        """Look once."""
        self.peak = max(self.peak, _resident())

    def watch(self) -> None:
        """Look until stopped."""
        while not self._stop.wait(_SAMPLE_S):
            self.sample()

    def stop(self) -> None:
        """End the watch."""
        self._stop.set()

    @property
    def megabytes(self) -> float:
        """The peak in MB (10⁶ bytes)."""
        return round(self.peak / _MB, 1)


@contextmanager
def peak_memory() -> Iterator[PeakMemory]:
    """Watch this process and its children while the block runs."""
    memory = PeakMemory()
    memory.sample()
    watcher = threading.Thread(target=memory.watch, name="peak-memory", daemon=True)
    watcher.start()
    try:
        yield memory
    finally:
        memory.stop()
        watcher.join()
        memory.sample()


def _resident() -> int:
    me = psutil.Process()
    total = 0
    for process in [me, *me.children(recursive=True)]:
        try:
            total += process.memory_info().rss
        except psutil.Error:  # a child that ended meanwhile
            continue
    return total


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
