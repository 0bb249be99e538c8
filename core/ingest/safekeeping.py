"""After an index run: the log emptied, a backup where one is due. Neither can spoil the run."""

import logging
import time
from datetime import UTC, datetime

from core.domain.report import IndexReport
from core.errors import Cancelled, LibraryError
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
    library.database.checkpoint()
    now = datetime.now(UTC)
    try:
        if is_due(library.paths.backups, settings, now, _changed(library, report)):
            back_up_now(library, settings, progress)
    except LibraryError as error:
        _log.warning("no backup was made: %s", error.kind)
    except Cancelled:
        _log.info("the backup was cancelled")
    return report


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
