"""How near indexing comes to what its stages allow, for several choices of encoders in a run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.benchmark.indexing import IndexingCost, indexing_cost
from core.engine import Engine
from core.ingest.decoding.decode_pool import default_workers
from core.loaded import Backends
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import choose_encoders


def measure_pipelines(
    photos: Path,
    scratch: Path,
    choices: Mapping[str, Sequence[str]],
    backends: Backends,
    progress: Progress,
) -> dict[str, IndexingCost]:
    """Index a folder into a new library for each choice of further encoders, one after another.

    A choice names the encoders beside the starter, none for the starter alone. Models are loaded
    before the clock starts. Raises PhotoAppError, Cancelled.
    """
    return {
        name: _measured(photos, scratch / f"library-{number}", encoders, backends, progress)
        for number, (name, encoders) in enumerate(choices.items())
    }


def _measured(
    photos: Path, folder: Path, encoders: Sequence[str], backends: Backends, progress: Progress
) -> IndexingCost:
    folder.mkdir(parents=True)
    choose_encoders(LibraryPaths(folder).settings, encoders)
    engine = Engine.open(folder, backends)
    try:
        engine.loaded.perception(progress)
        engine.loaded.further(progress)
        return indexing_cost(engine.index([photos], progress), default_workers())
    finally:
        engine.close()
