"""Folders into a library: scan, read, embed, save; then sessions and trips.

Decoding runs in other processes while this one embeds. Everything is committed batch by batch in
the order of the scan, so that a run which is cancelled or killed at any moment leaves the
beginning of the whole, and the next run goes on from there.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.photo import ContentHash
from core.domain.problem import Problem
from core.domain.report import IndexReport
from core.errors import FolderMissing
from core.ingest.complete_looks import complete_looks
from core.ingest.decode_pool import DecodePool
from core.ingest.embed import BATCH
from core.ingest.jobs import Decoded, DecodeJob, Outcome
from core.ingest.keep import Keeper
from core.ingest.limits import decode_limits
from core.ingest.options import IndexOptions
from core.ingest.reembed import embed_missing
from core.ingest.refresh import refresh_sessions, sessions_are_stale
from core.ingest.stage_times import StageTimes
from core.ingest.survey import Survey, Surveyor
from core.ingest.thumbnails import mend_thumbnails
from core.paths import is_file, is_folder, plain_path
from core.progress import Progress
from core.protocols import Gazetteer, Perception
from core.settings import Settings
from core.store.library import Library

_FIRST_BATCH = 8
_MOST_OUTCOMES = 256
_DETACH = 500
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

    Raises FolderMissing for a folder that is not there and never was, LibraryError, and
    Cancelled, which keeps everything committed so far.
    """
    times = StageTimes()
    keeper = Keeper(library, perception, gazetteer, ZoneFinder(), times)
    roots = _roots(folders, library)
    surveyor = Surveyor(library, settings, options.retry, progress)
    with times.stage("scan"):
        survey = surveyor.survey(roots)
    _note_roots(folders, survey, library)
    limits = decode_limits(library.paths, perception.encoder.image_size, settings.decode)
    try:
        with DecodePool(limits, settings.decode.workers, options.decode) as pool:
            _read(survey, pool, keeper, progress)
            removed = _detach(survey, library)
            embed_missing(keeper, pool, progress)
            with times.stage("thumbnails"):
                mend_thumbnails(library, pool, progress)
                complete_looks(library, progress)
    finally:
        survey.close()
    _clear_problems(roots, survey, library)
    with times.stage("sessions"):
        progress.report("sessions", 0)
        refresh_sessions(library, settings.sessions, keeper.zones)
    library.facts.put("last_indexed", datetime.now(UTC).isoformat(timespec="seconds"))
    return _report(roots, survey, keeper, removed)


def _roots(folders: Sequence[Path], library: Library) -> list[Path]:
    """The folders without those that lie in others, in order; raises FolderMissing."""
    known = library.facts.roots()
    absolute = sorted({plain_path(folder) for folder in folders})
    for folder in absolute:
        if not is_folder(folder) and folder not in known:
            what = "is a file, not a folder" if is_file(folder) else "is not there"
            raise FolderMissing(f"The folder {folder} {what}.", "Check its name.")
    return [f for f in absolute if not any(f != g and f.is_relative_to(g) for g in absolute)]


def _read(survey: Survey, pool: DecodePool, keeper: Keeper, progress: Progress) -> None:
    """Decode what is new, embed and save it batch by batch."""
    total = len(survey.fresh)
    jobs = (DecodeJob(stamp) for stamp in survey.fresh)

    def is_known(content_hash: ContentHash) -> bool:
        return bool(keeper.library.photos.ids_by_hash([content_hash]))

    batch: list[Outcome] = []
    done = 0
    with pool.outcomes(jobs, is_known) as outcomes:
        for outcome in _timed(outcomes, keeper.times):
            batch.append(outcome)
            done += 1
            progress.report("read", done, total)
            if _is_full(batch, keeper.kept.embedded) or done == total:
                keeper.keep(batch)
                batch = []
                embedded = keeper.kept.embedded
                progress.report("embed", embedded, embedded if done == total else None)


def _timed(outcomes: Iterator[Outcome], times: StageTimes) -> Iterator[Outcome]:
    while True:
        with times.stage("read"):
            outcome = next(outcomes, None)
        if outcome is None:
            return
        times.spent_elsewhere("read", outcome.cpu_seconds)
        yield outcome


def _is_full(batch: Sequence[Outcome], embedded: int) -> bool:
    """Small batches first: the first photos are seen soon, and little is lost where it stops."""
    enough = min(BATCH, max(_FIRST_BATCH, embedded))
    decoded = sum(isinstance(outcome, Decoded) for outcome in batch)
    return decoded >= enough or len(batch) >= _MOST_OUTCOMES


def _detach(survey: Survey, library: Library) -> int:
    """Forget files that have gone; their photos keep all that is known of them."""
    removed = 0
    paths = [stamp.path for stamp in survey.gone]
    for start in range(0, len(paths), _DETACH):
        with library.database.write():
            removed += library.photos.detach(paths[start : start + _DETACH])
            sessions_are_stale(library)
    return removed


def _clear_problems(roots: Sequence[Path], survey: Survey, library: Library) -> None:
    """Forget problems of files that are gone, and of folders that can be read again."""
    online = [root for root in roots if root not in survey.offline]
    past = [
        problem.path
        for problem in _problems_under(online, library)
        if _is_gone(problem.path) or (is_folder(problem.path) and problem.path not in survey.unread)
    ]
    library.problems.clear(past)


def _is_gone(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # it may be there: nobody may look
        return False
    return False


def _problems_under(roots: Sequence[Path], library: Library) -> list[Problem]:
    problems = library.problems.all()
    return [p for p in problems if any(p.path.is_relative_to(root) for root in roots)]


def _note_roots(folders: Sequence[Path], survey: Survey, library: Library) -> None:
    """Remember the folders before they are read: a run that is cut short can go on."""
    with library.database.write():
        for root in map(plain_path, folders):
            library.facts.put_root(root, offline=root in survey.offline)


def _report(roots: Sequence[Path], survey: Survey, keeper: Keeper, removed: int) -> IndexReport:
    kept, times = keeper.kept, keeper.times
    return IndexReport(
        added=kept.added,
        changed=kept.changed,
        removed=removed,
        unchanged=survey.unchanged + kept.unchanged,
        embedded=kept.embedded,
        offline=tuple(survey.offline),
        problems=tuple(_problems_under(roots, keeper.library)),
        seconds=dict(times.seconds),
        cpu_seconds=dict(times.cpu_seconds),
        rate=kept.embedded / max(times.total, 1e-9),
    )
