"""Whether a library is whole, and the models are there."""

from collections.abc import Callable

from core.domain.health import HealthCheck
from core.errors import ModelError
from core.ingest.thumbnails import photos_without_thumbnail
from core.progress import Progress
from core.protocols import Perception
from core.store.library import Library


def examine(
    library: Library, load: Callable[[Progress], Perception], progress: Progress
) -> list[HealthCheck]:
    """Run every check; each says what was seen, or what to do."""
    checks = (_database, _files, _thumbnails)
    found = [check(library) for check in progress.track("examine", checks, total=len(checks))]
    return [*found, *_models(library, load, progress)]


def _database(library: Library) -> HealthCheck:
    wrong = library.database.check()
    detail = wrong[0] if wrong else "SQLite finds nothing wrong"
    return HealthCheck("library file", not wrong, detail)


def _files(library: Library) -> HealthCheck:
    offline = [path for path, is_offline in library.facts.roots().items() if is_offline]
    if offline:
        names = ", ".join(map(str, offline))
        return HealthCheck("folders", False, f"empty or gone: {names}; their photos stay")
    return HealthCheck("folders", True, f"{len(library.facts.roots())} in reach")


def _thumbnails(library: Library) -> HealthCheck:
    count, missing = library.photos.count(), len(photos_without_thumbnail(library))
    detail = f"{missing} of {count} are missing; index their folders again to make them"
    return HealthCheck("thumbnails", not missing, detail if missing else f"{count} in place")


def _models(
    library: Library, load: Callable[[Progress], Perception], progress: Progress
) -> list[HealthCheck]:
    try:
        perception = load(progress)
    except ModelError as error:
        return [HealthCheck("models", False, f"{error.message} {error.advice}")]
    missing = len(library.vectors.missing(perception.encoder.name))
    detail = f"{missing} photos lack a vector; index again to make them"
    return [
        HealthCheck("models", True, perception.encoder.name),
        HealthCheck("vectors", not missing, detail if missing else "every photo has one"),
    ]
