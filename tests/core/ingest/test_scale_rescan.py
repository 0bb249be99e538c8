"""What a file costs does not grow with the folder, and memory does not grow with it either.

Costs are processor time of this process a file, compared as a ratio within one run; decoding and
models are stood in for, so that what is left is all that the library itself does.
"""

import gc
import os
import subprocess
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.backends.fakes import ColourEncoder, TinyGazetteer, fake_perception
from core.domain.arrays import Float32Array, PixelArray
from core.ingest.options import IndexOptions
from core.ingest.pipeline import index_folders
from core.paths import LibraryPaths
from core.progress import Progress
from core.protocols import Perception
from core.settings import DecodeSettings, Settings
from core.store.library import Library, open_library
from tests.core.ingest.tiny_decoder import decode_tiny

SETTINGS = Settings(decode=DecodeSettings(workers=2))


class SwiftEncoder(ColourEncoder):
    """Sees nothing, at no cost."""

    name = "swift"
    image_size = 1

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        return np.eye(len(pixels), self.dim, dtype=np.float32)


@dataclass(frozen=True)
class Costs:
    """Processor seconds a file, and the most that Python held at once, in bytes."""

    insert: float
    rescan: float
    addition: float
    insert_peak: int
    rescan_peak: int


def fill(folder: Path, first: int, count: int) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(first, first + count):
        (folder / f"IMG_{number:07}.png").write_text(f"{number * 2654435761 % 2**32:x}{number:x}")


def run(library: Library, folder: Path) -> int:
    fake = fake_perception()
    report = index_folders(
        [folder],
        library,
        Perception(SwiftEncoder(), fake.sentences, fake.presence, fake.concepts),
        TinyGazetteer(),
        SETTINGS,
        Progress(),
        options=IndexOptions(decode=decode_tiny),
    )
    assert report.problems == ()
    return report.added


def cost(task: Callable[[], object], files: int) -> float:
    gc.collect()
    began = time.process_time()
    task()
    return (time.process_time() - began) / files


def peak(task: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    task()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def costs_of(base: Path, files: int, repeats: int) -> Costs:
    """Index so many files of one folder, look again, and add a few more."""
    folder = base / "photos"
    base.mkdir()
    fill(folder, 0, files)
    few = max(files // 100, 50)
    library = open_library(LibraryPaths(base / "library"))
    try:
        assert run(library, folder) == files
        rescan = min(cost(lambda: run(library, folder), files) for _ in range(repeats))
        rescan_peak = peak(lambda: run(library, folder))
        fill(folder, files, few)
        addition = cost(lambda: run(library, folder), files + few)
    finally:
        library.close()
    others = [open_library(LibraryPaths(base / name)) for name in ("timed", "traced")]
    try:
        insert = cost(lambda: run(others[0], folder), files + few)
        insert_peak = peak(lambda: run(others[1], folder)) if files <= 20_000 else 0
    finally:
        for other in others:
            other.close()
    return Costs(insert, rescan, addition, insert_peak, rescan_peak)


@pytest.mark.soak
def test_the_cost_of_a_file_does_not_grow(tmp_path: Path) -> None:
    small, large = costs_of(tmp_path / "s", 300, 5), costs_of(tmp_path / "l", 3_000, 2)
    assert large.insert < 1.6 * small.insert
    assert large.rescan < 1.6 * small.rescan


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("files", [20_000, 100_000])
def test_the_cost_of_a_file_does_not_grow_in_large_folders(tmp_path: Path, files: int) -> None:
    small, large = costs_of(tmp_path / "s", 1_000, 5), costs_of(tmp_path / "l", files, 2)
    sys.stdout.write(f"1,000 files: {small}\n{files:,} files: {large}\n")
    assert large.rescan <= 1.2 * small.rescan
    assert large.insert <= 1.2 * small.insert


MEMORY = """
    import resource, sys
    from pathlib import Path
    from core.paths import LibraryPaths
    from core.store.library import open_library
    from tests.core.ingest.test_scale_rescan import fill, run

    def main():
        base, files = Path(sys.argv[1]), int(sys.argv[2])
        fill(base / "photos", 0, files)
        library = open_library(LibraryPaths(base / "library"))
        added = run(library, base / "photos")
        library.close()
        print(added, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

    if __name__ == "__main__":
        main()
"""


def peak_mb(base: Path, files: int) -> int:
    """The most memory that a process of its own held while it indexed so many files."""
    base.mkdir()
    program = base / "program.py"
    program.write_text(textwrap.dedent(MEMORY))
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, program, base, str(files)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    added, megabytes = map(int, done.stdout.split())
    assert added == files
    return megabytes


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_memory_of_indexing_does_not_grow_with_the_folder(tmp_path: Path) -> None:
    small, large = peak_mb(tmp_path / "s", 1_000), peak_mb(tmp_path / "l", 100_000)
    sys.stdout.write(f"indexing 1,000 files: {small} MB at most; 100,000: {large} MB\n")
    assert large - small < 100
