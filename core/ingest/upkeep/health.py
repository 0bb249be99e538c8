"""Whether a library is whole, and the models are there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.backends.index_cache import cache_fault
from core.domain.health import HealthCheck
from core.errors import LibraryDamaged, ModelError
from core.ingest.further import is_of_any
from core.ingest.sessions.refresh import sessions_are_fresh
from core.ingest.thumbnails import photos_without_thumbnail
from core.ingest.upkeep.leftovers import thumbnail_faults, unfinished
from core.ingest.upkeep.storage_health import storage_checks
from core.progress import Progress
from core.protocols import Perception
from core.settings import Settings
from core.store.checkup import (
    full_text_fault,
    photos_without_profile,
    shares_of_models,
    unreadable_photos,
)
from core.store.library import Library

_MEND = "run `photoapp doctor --repair`"
_INDEX = "index their folders again to make them"


def examine(
    library: Library,
    settings: Settings,
    load: Callable[[Progress], Perception],
    progress: Progress,
    *,
    quick: bool = False,
) -> list[HealthCheck]:
    """Run every check; each says what was seen, or what to do.

    `quick` leaves out what must look at every row and thumbnail. A damaged file ends the
    checks of its content: they would say nothing. Raises Cancelled.
    """
    return list(_Examination(library, settings, progress, quick).checks(load))


@dataclass(frozen=True, slots=True)
class _Examination:
    library: Library
    settings: Settings
    progress: Progress
    quick: bool

    def checks(self, load: Callable[[Progress], Perception]) -> Iterator[HealthCheck]:
        """Every check, in the order in which one bears on the next."""
        whole = self._file()
        yield whole
        yield from storage_checks(self.library, self.settings)
        if not whole.ok:
            return
        yield from (self._full_text(), self._rows(), self._decisions())
        yield from (self._folders(), self._thumbnails(), self._sessions(), self._leftovers())
        yield from self._models(load)

    def _file(self) -> HealthCheck:
        self.progress.report("examine", 0)
        try:
            wrong = self.library.database.check(quick=self.quick)
        except LibraryDamaged as error:
            wrong = [error.message]
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        detail = f"{wrong[0]}{more}; {_MEND}" if wrong else "SQLite finds nothing wrong"
        return HealthCheck("library file", not wrong, detail)

    def _full_text(self) -> HealthCheck:
        database = self.library.database
        wrong = full_text_fault(database) if database.writable and not self.quick else ""
        lacking = 0 if wrong else len(photos_without_profile(database))
        detail = f"{lacking} photos have no words" if lacking else "its index fits the texts"
        ok = not wrong and not lacking
        return HealthCheck("words", ok, detail if ok else f"{wrong or detail}; {_MEND}")

    def _rows(self) -> HealthCheck:
        wrong = [] if self.quick else unreadable_photos(self.library.database, self.progress)
        detail = f"{len(wrong)} photos cannot be read; restore a backup" if wrong else "readable"
        return HealthCheck("photos", not wrong, detail)

    def _decisions(self) -> HealthCheck:
        wrong = self.library.decisions.unreadable()
        detail = f"{len(wrong)} decisions cannot be read and count for nothing; restore a backup"
        return HealthCheck("decisions", not wrong, detail if wrong else "readable")

    def _folders(self) -> HealthCheck:
        roots = self.library.facts.roots()
        offline = [path for path, is_offline in roots.items() if is_offline]
        if offline:
            names = ", ".join(map(str, offline))
            return HealthCheck("folders", False, f"empty or gone: {names}; their photos stay")
        return HealthCheck("folders", True, f"{len(roots)} in reach")

    def _thumbnails(self) -> HealthCheck:
        count, missing = self.library.photos.count(), len(photos_without_thumbnail(self.library))
        detail = f"{missing} of {count} are missing; {_INDEX}"
        return HealthCheck("thumbnails", not missing, detail if missing else f"{count} in place")

    def _sessions(self) -> HealthCheck:
        fresh = sessions_are_fresh(self.library, self.settings.sessions)
        fresh = fresh or self.library.photos.count() == 0
        detail = "they are those of today's photos"
        stale = "photos have changed since; index their folders again to renew them"
        return HealthCheck("sessions", fresh, detail if fresh else stale)

    def _leftovers(self) -> HealthCheck:
        parts = unfinished(self.library)
        detail = f"{len(parts)} unfinished files" if parts else "no unfinished files"
        if self.quick:
            return HealthCheck("leftovers", not parts, detail)
        faults = thumbnail_faults(self.library, self.progress)
        orphans, empty = len(faults.orphans), len(faults.empty)
        if orphans:  # of photos that went before a run that was cut short could keep them
            size = faults.orphan_bytes / 1e6
            detail += f", {orphans} thumbnails of no photo ({size:.1f} MB), which do no harm"
        if empty:
            detail += f", {empty} empty thumbnails"
        removed = f"{detail}; {_MEND}" if parts or orphans or empty else detail
        return HealthCheck("leftovers", not (parts or empty), removed)

    def _models(self, load: Callable[[Progress], Perception]) -> Iterator[HealthCheck]:
        try:
            perception = load(self.progress)
        except ModelError as error:
            yield HealthCheck("models", False, f"{error.message} {error.advice}")
            return
        models = {
            perception.encoder.name: perception.encoder.dim,
            perception.proxy_name: perception.sentences.dim,
        }
        yield HealthCheck("models", True, perception.encoder.name)
        missing = {photo for model in models for photo in self.library.vectors.missing(model)}
        detail = f"{len(missing)} photos lack a vector; {_INDEX}"
        yield HealthCheck("vectors", not missing, detail if missing else "every photo has one")
        yield from (self._caches(models), self._old_models(models))

    def _caches(self, models: dict[str, int]) -> HealthCheck:
        """Caches that do not fit are not used; the next search makes them again."""
        for model, dim in models.items():
            path = self.library.paths.vector_cache(model)
            if path.exists():
                wrong = cache_fault(path, dim, self.library.vectors.fingerprint(model))
                if wrong.startswith("it cannot be read"):
                    detail = f"{path.name}: {wrong}; the next search makes it again, or {_MEND}"
                    return HealthCheck("vector caches", False, detail)
        return HealthCheck("vector caches", True, "they can be used, or are made by a search")

    def _old_models(self, models: dict[str, int]) -> HealthCheck:
        used = self.settings.models.encoders
        shares = shares_of_models(self.library.database)
        old = [s for s in shares if s.model not in models and not is_of_any(s.model, used)]
        if not old:
            return HealthCheck("other models", True, "none")
        named = ", ".join(f"{one.model} ({one.size / 1e6:.1f} MB)" for one in old)
        detail = f"vectors of {named} are kept; `photoapp doctor --forget-old-models` drops them"
        return HealthCheck("other models", True, detail)
