"""Duplicates among 100,000 photos: all that were planted, in bounded memory."""

from pathlib import Path

import numpy as np
import psutil
import pytest

from core.backends.fakes import fake_perception
from core.domain.photo import FileStamp, PhotoId
from core.ingest.likeness.duplicates import find_duplicates
from core.paths import LibraryPaths
from core.progress import Progress, ProgressReport
from core.store.library import Library, open_library
from tests.core.ingest.likeness.test_duplicates import Shot, facts_of

MANY = 100_000
PLANTED = 500
DIM = 360
MOST_MB = 400


def fill(library: Library, rng: np.random.Generator) -> None:
    """Each photo apart from all others, then the last ones copies of early ones."""
    hashes = rng.integers(0, 2**63, MANY, dtype=np.uint64)
    vectors = rng.standard_normal((MANY, DIM)).astype(np.float32)
    twins = np.arange(PLANTED)
    hashes[-PLANTED:] = hashes[twins] ^ np.uint64(0b1001_0110)
    vectors[-PLANTED:] = vectors[twins] + 0.01 * vectors[-PLANTED:]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for start in range(0, MANY, 5000):
        ids: list[PhotoId] = []
        with library.database.write():
            for number in range(start, start + 5000):
                facts = facts_of(number, Shot(number * 60, bits=int(hashes[number])))
                ids.append(library.photos.save(facts, FileStamp(Path(f"/p/{number}.jpg"), 1, 0)))
            library.vectors.save("colours-1", ids, vectors[start : start + 5000])


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_a_hundred_thousand_photos(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path / "library"))
    fill(library, np.random.default_rng(1))
    process = psutil.Process()
    before = process.memory_info().rss
    peak, stages = before, []

    def watch(report: ProgressReport) -> None:
        nonlocal peak
        peak = max(peak, process.memory_info().rss)
        stages.append(report.stage)

    found = find_duplicates(library, fake_perception(), Progress(watch))
    assert len(found) == PLANTED
    pairs = {tuple(sorted(int(path.stem) for path in group.files)) for group in found}
    assert pairs == {(n, MANY - PLANTED + n) for n in range(PLANTED)}
    assert {"copies", "bursts", "neighbours", "hashes"} <= set(stages)
    assert (peak - before) / 1e6 < MOST_MB
