"""Real mounts for tests: of a fixed size, or read-only; skipped where the system forbids them."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system in memory of a size like "8m"."""
    folder.mkdir(parents=True, exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "none", str(folder))
    try:
        yield folder
    finally:
        _unmount(folder)


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """A folder or file that nobody may write, not even root."""
    _mount("--bind", str(path), str(path))
    try:
        _mount("-o", "remount,bind,ro", str(path))
        yield
    finally:
        _unmount(path)


def _mount(*words: str) -> None:
    try:
        subprocess.run(["mount", *words], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"mounting is not permitted here: {error}")


def _unmount(path: Path) -> None:
    subprocess.run(["umount", "--lazy", str(path)], check=False, capture_output=True)
