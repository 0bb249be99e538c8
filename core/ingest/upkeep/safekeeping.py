"""After an index run: leftovers removed, a backup where one is due, the log emptied.

None of this can spoil the run.
"""

import logging
import time
from collections import Counter
from datetime import UTC, datetime

from core.domain.report import IndexReport
from core.errors import Cancelled, LibraryError
from core.ingest.upkeep.leftovers import remove, unfinished
from core.progress import Progress
from core.settings import BackupSettings
from core.store.backup_shelf import Backup, is_due, make_backup
from core.store.library import Library

_log = logging.getLogger(__name__)
_MANY = 200
"""Fewer changes than this are never much, however small the library is."""


def kept_safe(
    library: Library, settings: BackupSettings, report: IndexReport, progress: Progress
) -> IndexReport:
    """The report of a run, once the library has been made safe; what failed is in the log, and
    `doctor` tells how old the newest backup is."""
    now = datetime.now(UTC)
    try:
        remove(unfinished(library))
        if is_due(library.paths.backups, settings, now, _changed(library, report)):
            back_up_now(library, settings, progress)
    except LibraryError as error:
        _log.warning("no backup was made: %s", error.kind)
    except OSError as error:
        _log.warning("unfinished files could not be removed: %s", type(error).__name__)
    except Cancelled:
        _log.info("the backup was cancelled")
    library.database.checkpoint()
    _log_run(report)
    return report


def _log_run(report: IndexReport) -> None:
    reasons = Counter(problem.reason.value for problem in report.problems)
    _log.info(
        "index run: %d added, %d changed, %d removed, %d unchanged, %d embedded, %d folders "
        "offline, problems %s, seconds %s",
        report.added,
        report.changed,
        report.removed,
        report.unchanged,
        report.embedded,
        len(report.offline),
        dict(reasons),
        {stage: round(seconds, 2) for stage, seconds in report.seconds.items()},
    )


def _changed(library: Library, report: IndexReport) -> float:
    """The share of the library's photos that a run has touched."""
    many = report.touched >= _MANY
    return report.touched / max(library.photos.count(), 1) if many else 0.0


def back_up_now(library: Library, settings: BackupSettings, progress: Progress) -> Backup:
    """Make a regular backup; raises Cancelled, LibraryDamaged, LibraryUnwritable."""
    begun = time.monotonic()
    backup = make_backup(library.database, settings, datetime.now(UTC), progress)
    _log.info("backup of %d bytes made in %.2f s", backup.size, time.monotonic() - begun)
    return backup
