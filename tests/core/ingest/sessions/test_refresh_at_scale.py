"""Refreshing libraries of a hundred thousand and of a million photos."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PROGRAM = """
    import json, resource, statistics, sys, time
    from pathlib import Path
    from core.domain.place import GeoPoint
    from core.ingest.sessions.refresh import refresh_sessions
    from core.paths import LibraryPaths
    from core.progress import Progress
    from core.settings import SessionSettings
    from core.store.library import open_library
    from tests.core.ingest.sessions.life import FlatZones, Life, Shot
    from tests.core.synthetic import fill_library

    HOME = GeoPoint(47.07, 15.44)

    def peak_mb():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    def refresh(library):
        begun = time.process_time()
        refresh_sessions(library, SessionSettings(), FlatZones(), Progress())
        return time.process_time() - begun

    def add(library, number, hours):
        Life(library).put(Shot(number, hours, HOME, who="Canon EOS 80D 0420017"))
        return refresh(library)

    sizes = [int(word) for word in sys.argv[2:]]
    libraries, figures = {}, {}
    for size in sizes:
        library = libraries[size] = open_library(LibraryPaths(Path(sys.argv[1]) / str(size)))
        fill_library(library, photos=size)
        filled = peak_mb()
        seconds = refresh(library)
        sessions = library.sessions.counts()[0]
        figures[size] = dict(filled=filled, refreshed=peak_mb(), seconds=seconds,
                             sessions=sessions, sound=library.database.check() == [])
    one = {size: [] for size in sizes}
    for turn in range(25):
        for size, library in libraries.items():
            first, last = library.entries.bounds()
            since = (first + (last - first) * (turn * 37 % 100) / 100 - 1714550400) / 3600
            one[size].append(add(library, turn + 1, since))
    for size in sizes:
        figures[size]["one"] = statistics.median(one[size][3:])
    print(json.dumps(figures))
"""


def measured(folder: Path, *sizes: int) -> dict[str, dict[str, float]]:
    """What a process of its own saw of libraries of these sizes; memory is its peak in MB."""
    run = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(folder), *map(str, sizes)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    print(found)  # noqa: T201 - figures for whoever runs it
    return found


@pytest.mark.soak
def test_one_photo_costs_the_same_in_a_small_and_in_a_large_library(tmp_path: Path) -> None:
    found = measured(tmp_path, 1_000, 100_000)
    small, large = found["1000"], found["100000"]
    assert large["sound"] and large["sessions"] > 5_000
    assert large["refreshed"] - small["refreshed"] < 120
    assert large["one"] <= 1.5 * small["one"]


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_million_photos_are_refreshed_in_bounded_memory(tmp_path: Path) -> None:
    found = measured(tmp_path, 10_000, 1_000_000)
    small, large = found["10000"], found["1000000"]
    assert large["sound"]
    assert large["refreshed"] - small["refreshed"] < 250
