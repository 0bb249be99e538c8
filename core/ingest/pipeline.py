"""Folders into a library: scan, read, embed, save; then sessions and trips.

Decoding runs in other processes while this one embeds. Everything is committed batch by batch in
the order of the scan, so that a run which is cancelled or killed at any moment leaves the
beginning of the whole, and the next run goes on from there.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.problem import Problem
from core.domain.report import IndexReport
from core.errors import Cancelled
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.limits import decode_limits
from core.ingest.folders.parts import Part, parts_of, whole
from core.ingest.folders.roots import outermost, settle_folders
from core.ingest.folders.spool import PathSpool
from core.ingest.folders.survey import Survey, Surveyor
from core.ingest.keep import Keeper
from core.ingest.likeness.complete_looks import complete_looks
from core.ingest.options import IndexOptions
from core.ingest.read_files import read_files
from core.ingest.reembed import embed_missing
from core.ingest.sessions.refresh import refresh_if_short, refresh_sessions
from core.ingest.stage_times import StageTimes
from core.ingest.thumbnails import ThumbnailCheck
from core.progress import Progress
from core.protocols import Gazetteer, Perception
from core.settings import Settings
from core.store.below import Below
from core.store.library import Library

_BATCH = 500
USUAL = IndexOptions()


def index_folders(
    folders: Sequence[Path],
    library: Library,
    perception: Perception,
    gazetteer: Gazetteer,
    settings: Settings,
    progress: Progress,
    *,
    options: IndexOptions = USUAL,
) -> IndexReport:
    """Take every photo below the folders into the library and say what was done.

    Where `options.only` names changed folders, these alone are looked at, and `folders` may be
    empty. Raises FolderMissing for a folder that is not there and never was, LibraryError, and
    Cancelled, which keeps everything committed so far.
    """
    keeper = Keeper(library, perception, gazetteer, ZoneFinder(), StageTimes())
    if options.only:
        notes: list[str] = []
        parts = parts_of(options.only, library.facts.roots(), settings.scan)
        roots = list(dict.fromkeys(part.root for part in parts))
    else:
        roots, notes = settle_folders(folders, library)
        parts = whole(outermost(roots, library))
    surveyor = Surveyor(library, settings, options.retry, progress, options.leave)
    run = _Run(keeper, surveyor, parts, notes)
    limits = decode_limits(library.paths, perception.encoder.image_size, settings.decode)
    thumbnails = ThumbnailCheck(library)
    try:
        with DecodePool(limits, settings.decode.workers, options.decode) as pool:
            run.read(roots, pool)
            embed_missing(keeper, pool, progress)
            with keeper.times.stage("thumbnails"):
                thumbnails.mend(pool, progress)
                complete_looks(library, progress)
    except Cancelled:  # what was read so far is seen in its sessions too
        refresh_if_short(library, settings.sessions, keeper.zones)
        raise
    with keeper.times.stage("sessions"):
        progress.report("sessions", 0)
        refresh_sessions(library, settings.sessions, keeper.zones, progress)
    library.facts.put("last_indexed", datetime.now(UTC).isoformat(timespec="seconds"))
    return run.report()


@dataclass(slots=True)
class _Run:
    """One run over some parts, and what came of it so far."""

    keeper: Keeper
    surveyor: Surveyor
    parts: Sequence[Part]
    notes: list[str]
    offline: list[Path] = field(default_factory=list)
    unchanged: int = 0
    removed: int = 0

    def read(self, roots: Sequence[Path], pool: DecodePool) -> None:
        """Survey and read every part; then what belonged to files that could not be read."""
        with self.keeper.times.stage("scan"):
            survey = self.surveyor.survey(self.parts)
        with closing(survey):
            self.offline, self.unchanged = survey.offline, survey.unchanged
            self._note_roots(roots)
            orphaned = self._carry_out(survey, pool)
        again = replace(self.surveyor, retry=False)
        done: set[Part] = set()
        while orphaned := orphaned - done:
            done |= orphaned
            with self.keeper.times.stage("scan"):
                survey = again.survey(sorted(orphaned, key=lambda part: part.folder))
            orphaned = self._carry_out(survey, pool)

    def _note_roots(self, roots: Sequence[Path]) -> None:
        """Remember the folders before they are read: a run that is cut short can go on."""
        facts = self.keeper.library.facts
        with self.keeper.library.database.write():
            for root in roots:
                facts.put_root(root, offline=root in self.offline)

    def _carry_out(self, survey: Survey, pool: DecodePool) -> set[Part]:
        """Read, detach and clear; returns the parts in which files have lost their main one."""
        library = self.keeper.library
        self.keeper.kept.orphaned.clear()
        try:
            read_files(survey, pool, self.keeper, self.surveyor.progress)
            for batch in _batches(survey.gone):
                self.removed += library.photos.detach(batch)
            for batch in _batches(survey.past):
                library.problems.clear(batch)
        finally:
            survey.close()
        folders = {job.stamp.path.parent for job in self.keeper.kept.orphaned}
        return survey.orphaned | {self._part_of(folder) for folder in folders}

    def _part_of(self, folder: Path) -> Part:
        root = next(part.root for part in self.parts if folder.is_relative_to(part.root))
        return Part(root, folder, deep=False)

    def _problems(self) -> Iterator[Problem]:
        for part in self.parts:
            below = Below(part.folder, part.deep)
            yield from self.keeper.library.problems.under(below)

    def report(self) -> IndexReport:
        """What was done."""
        kept, times = self.keeper.kept, self.keeper.times
        return IndexReport(
            added=kept.added,
            changed=kept.changed,
            removed=self.removed,
            unchanged=self.unchanged + kept.unchanged,
            embedded=kept.embedded,
            offline=tuple(self.offline),
            problems=tuple(self._problems()),
            seconds=dict(times.seconds),
            cpu_seconds=dict(times.cpu_seconds),
            rate=kept.embedded / max(times.total, 1e-9),
            notes=tuple(self.notes),
        )


def _batches(paths: PathSpool) -> Iterator[list[Path]]:
    batch: list[Path] = []
    for path in paths:
        batch.append(path)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
