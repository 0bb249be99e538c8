"""Where a library lies: how it is opened, its disk, its backups."""

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from core.domain.health import HealthCheck
from core.settings import BackupSettings, Settings
from core.store.backup_shelf import backups_in
from core.store.library import Library

_LEAST_FREE = 1_000_000_000
_LONGEST_WITHOUT_BACKUP = timedelta(days=30)


def storage_checks(library: Library, settings: Settings) -> Iterator[HealthCheck]:
    """How the file is opened, the room that is left, the backups, and what was set aside."""
    yield _opening(library)
    yield _room(library)
    yield _backups(library, settings.backup, datetime.now(UTC))
    aside = [path for path in library.paths.set_aside.glob("*.sqlite*") if path.is_file()]
    if aside:
        size = sum(path.stat().st_size for path in aside) / 1e6
        detail = f"{len(aside)} files ({size:,.1f} MB) in {library.paths.set_aside.name}: delete "
        yield HealthCheck("set aside", True, f"{detail}them once nothing in them is missed")


def _opening(library: Library) -> HealthCheck:
    access = library.database.access
    detail = f"journal {access.journal}, SQLite {sqlite3.sqlite_version}"
    if access.note:
        detail = f"{access.note}; {detail}"
    return HealthCheck("opening", access.writable, detail)


def _room(library: Library) -> HealthCheck:
    free = shutil.disk_usage(library.paths.root).free
    wanted = max(_LEAST_FREE, 2 * library.paths.database.stat().st_size)
    detail = f"{free / 1e9:,.1f} GB free"
    if free < wanted:
        detail += f"; {wanted / 1e9:,.1f} GB let it grow and be backed up"
    return HealthCheck("disk", free >= wanted, detail)


def _backups(library: Library, settings: BackupSettings, now: datetime) -> HealthCheck:
    """Old backups are a finding only where photos were indexed since."""
    kept = backups_in(library.paths.backups)
    if not kept:
        needed = settings.enabled and library.photos.count() > 0
        detail = "there is none; `photoapp doctor --backup` makes one" if needed else "none yet"
        return HealthCheck("backups", not needed, detail)
    newest, size = kept[0].made_at, sum(backup.size for backup in kept)
    last = library.facts.get("last_indexed")
    used = datetime.fromisoformat(last) if last else now
    old = settings.enabled and used - newest > _LONGEST_WITHOUT_BACKUP
    detail = f"{len(kept)} ({size / 1e6:,.1f} MB), the newest of {newest:%Y-%m-%d %H:%M} UTC"
    return HealthCheck("backups", not old, detail + ("; `photoapp doctor --backup`" * old))
