"""The backups of one library: which there are, when one is due, which are kept.

Copies made after index runs carry their time in their names and leave vectors out: they protect
what cannot be computed again (decisions, judgements, tags, what was read of files that are gone)
at half the bytes; the next index run fills the vectors in. Copies made before a migration or a
repair are whole.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.progress import Progress
from core.settings import BackupSettings
from core.store.backup import back_up_without_vectors, faults, sweep
from core.store.database import Database
from core.store.migrations.ladder import NEWEST, version_of

_TIME = "%Y%m%d-%H%M%S"
_REGULAR = re.compile(r"library-(\d{8}-\d{6})\.sqlite")


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a library: when it was made, its bytes, and whether it is one of the regular."""

    path: Path
    made_at: datetime
    size: int
    regular: bool


def backups_in(folder: Path) -> list[Backup]:
    """Every backup in a folder, newest first."""
    found = [_backup(path) for path in folder.glob("*.sqlite") if path.is_file()]
    return sorted(found, key=lambda backup: (backup.made_at, backup.path.name), reverse=True)


def _backup(path: Path) -> Backup:
    state, named = path.stat(), _REGULAR.fullmatch(path.name)
    made_at = datetime.fromtimestamp(state.st_mtime, UTC)
    if named:
        made_at = datetime.strptime(named[1], _TIME).replace(tzinfo=UTC)
    return Backup(path, made_at, state.st_size, named is not None)


def newest_whole(folder: Path) -> Backup | None:
    """The newest backup that passes its check and that this program can open."""
    return next((b for b in backups_in(folder) if not why_not(b.path)), None)


def why_not(path: Path) -> str:
    """Why a file cannot serve as a backup; empty where it can."""
    if not path.is_file():
        return "there is no such file"
    wrong = faults(path)
    if wrong:
        return wrong
    with closing(sqlite3.connect(path)) as connection:
        version = version_of(connection)
    if version > NEWEST:
        return f"it has version {version}; this program knows {NEWEST}"
    return "" if version else "it is not a library"


def is_due(folder: Path, settings: BackupSettings, now: datetime, changed: float) -> bool:
    """Whether a regular backup should be made: the last is old, or much has changed.

    `changed` is the share of photos that one run has added or changed.
    """
    if not settings.enabled:
        return False
    last = next((b.made_at for b in backups_in(folder) if b.regular), None)
    old = last is None or now - last >= timedelta(hours=settings.every_hours)
    return old or changed >= settings.changed_share


def make_backup(
    database: Database, settings: BackupSettings, now: datetime, progress: Progress
) -> Backup:
    """Make a regular backup, then remove those that are no longer kept.

    Raises Cancelled, LibraryDamaged, LibraryUnwritable.
    """
    folder = database.paths.backups
    target = _free_name(folder, now.astimezone(UTC))
    with closing(database.connection()) as connection:
        back_up_without_vectors(connection, target, progress)
    sweep(folder)
    for backup in spare(backups_in(folder), settings):
        backup.path.unlink(missing_ok=True)
    return _backup(target)


def _free_name(folder: Path, made_at: datetime) -> Path:
    """The name of that second, or of the next one without a backup: none replaces another."""
    while (target := folder / f"library-{made_at:{_TIME}}.sqlite").exists():
        made_at += timedelta(seconds=1)
    return target


def spare(backups: Sequence[Backup], settings: BackupSettings) -> list[Backup]:
    """The regular backups, of all newest first, that are not kept.

    Kept are the newest, and of each of the last weeks that have one the newest; oldest go first
    where all together are too large. The very newest always stays.
    """
    regular = [backup for backup in backups if backup.regular]
    by_week: dict[tuple[int, int], Backup] = {}
    for backup in regular:
        by_week.setdefault(backup.made_at.isocalendar()[:2], backup)
    weekly = list(by_week.values())[: settings.weeks]
    kept, total = [], 0
    for place, backup in enumerate(regular):
        total += backup.size
        wanted = place < settings.newest or backup in weekly
        if place == 0 or (wanted and total <= settings.max_mb * 1_000_000):
            kept.append(backup)
        else:
            total -= backup.size
    return [backup for backup in regular if backup not in kept]
