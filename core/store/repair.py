"""Puts a good database in the place of a damaged one; what was there is set aside, never deleted.

Only the database is replaced: originals and thumbnails are not touched, and caches of vectors,
which belong to the old one, are made again.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from core.errors import InputError, LibraryBusy, LibraryDamaged
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.backup import demand_room, faults, flush, sweep
from core.store.backup_shelf import newest_whole, why_not
from core.store.checkup import FORGET_CLAIMS
from core.store.failures import known_error, primary_code, unwritable
from core.store.migrations.ladder import NEWEST, climb_to
from core.store.opening import file_uri
from core.store.salvage.rebuild import Rescue, rebuild

_PATIENCE_S = 2.0
_LOGS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Replaced:
    """Where the old database lies, what was rescued of it (None where it was not read), and the
    backup that was used."""

    set_aside: Path | None
    rescue: Rescue | None
    backup: Path | None


def salvage_library(paths: LibraryPaths, progress: Progress) -> Replaced:
    """Keep what can be read of a damaged database, and fill its gaps from the newest backup.

    Where nothing can be read the backup takes its place. Raises LibraryBusy, LibraryDamaged
    where there is no backup either, LibraryUnwritable, Cancelled.
    """
    with _replacing(paths) as (old, new):
        backup = newest_whole(paths.backups)
        source = None if backup is None else backup.path
        rescue = rebuild(old, new, source, progress)
        if not rescue.is_worth_keeping and not rescue.filled.get("photos"):
            if source is None:
                raise LibraryDamaged(
                    "Nothing can be read of this library, and there is no backup of it.",
                    "Move library.sqlite away and index the folders again.",
                )
            _copy_of_backup(source, new)
        _demand_whole(new)
    return Replaced(_newest_set_aside(paths), rescue, source)


def restore_library(paths: LibraryPaths, source: Path | None, progress: Progress) -> Replaced:
    """Put a backup (the newest where none is named) in the place of the database.

    Vectors, which regular backups leave out, are taken from the database that was there for
    photos that are the same. Raises InputError for a file that cannot serve, LibraryBusy,
    LibraryUnwritable.
    """
    newest = newest_whole(paths.backups) if source is None else None
    chosen = source or (newest.path if newest else None)
    if chosen is None:
        raise InputError("There is no backup of this library.", "Name a file with --restore FILE.")
    wrong = why_not(chosen)
    if wrong:
        raise InputError(f"{chosen} cannot be restored: {wrong}.", "Choose another backup.")
    with _replacing(paths) as (old, new):
        progress.report("restore", 0, 1)
        _copy_of_backup(chosen, new)
        if old.exists():
            _take_vectors(old, new)
        _demand_whole(new)
        progress.report("restore", 1, 1)
    return Replaced(_newest_set_aside(paths), None, chosen)


@contextmanager
def _replacing(paths: LibraryPaths) -> Iterator[tuple[Path, Path]]:
    """The old database, set aside, and a new file, which takes its place at the end."""
    new, unused = paths.root / "library.sqlite.0.partial", list[Path]()
    try:
        sweep(paths.root)
        _demand_alone(paths.database)
        demand_room(paths.root, sum(f.stat().st_size for f in _with_logs(paths.database)))
        old = _set_aside(paths)
        unused.append(old)
        yield old, new
        _forget_claims(new)
        flush(new)
        for log in _with_logs(paths.database)[1:]:
            log.unlink()
        new.replace(paths.database)
        unused.clear()
        flush(paths.root)
        for cache in paths.vectors.glob("*.npz"):
            cache.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(paths.root, error) from error
    except sqlite3.Error as error:
        raise known_error(error) from error
    finally:
        for path, suffix in product((new, *unused), ("", *_LOGS)):
            with suppress(OSError):
                path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


def _forget_claims(path: Path) -> None:
    """The next index run looks for vectors and thumbnails that are missing."""
    with closing(sqlite3.connect(file_uri(path), uri=True, isolation_level=None)) as connection:
        connection.execute(FORGET_CLAIMS)


def _demand_alone(path: Path) -> None:
    """Raise LibraryBusy where another process, or this one, has the database open."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{file_uri(path)}?mode=rw", uri=True, timeout=_PATIENCE_S,
                                     isolation_level=None)) as connection:  # fmt: skip
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if primary_code(error) == sqlite3.SQLITE_BUSY:
            raise LibraryBusy(
                "This library is open elsewhere.", "Close its windows and commands first."
            ) from error


def _set_aside(paths: LibraryPaths) -> Path:
    """Copy the database and its log; returns the copy, which may not be there at all."""
    stem = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.sqlite"
    paths.set_aside.mkdir(parents=True, exist_ok=True)
    for file in _with_logs(paths.database):
        suffix = file.name.removeprefix(paths.database.name)
        if suffix != "-shm":
            shutil.copy2(file, paths.set_aside / f"{stem}{suffix}")
            flush(paths.set_aside / f"{stem}{suffix}")
    return paths.set_aside / stem


def _newest_set_aside(paths: LibraryPaths) -> Path | None:
    return max(paths.set_aside.glob("*.sqlite"), default=None)


def _with_logs(path: Path) -> list[Path]:
    """The database first, then what SQLite keeps beside it, as far as they are there."""
    files = [path, *(path.with_name(f"{path.name}{suffix}") for suffix in _LOGS)]
    return [path, *(file for file in files[1:] if file.exists())] if path.exists() else []


def _copy_of_backup(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        climb_to(connection, NEWEST)


def _take_vectors(old: Path, new: Path) -> None:
    """Vectors that the new database lacks, of photos that are the same in both."""
    with (
        suppress(sqlite3.DatabaseError),  # the next index run makes what is missing
        closing(sqlite3.connect(file_uri(new), uri=True, isolation_level=None)) as connection,
    ):
        # what is set aside stays as it is
        connection.execute("ATTACH DATABASE ? AS old", (f"{file_uri(old)}?immutable=1",))
        connection.execute(
            "INSERT OR IGNORE INTO main.vectors SELECT v.* FROM old.vectors AS v "
            "JOIN old.photos AS was ON was.id = v.photo_id "
            "JOIN main.photos AS now ON now.id = was.id AND now.content_hash = was.content_hash"
        )


def _demand_whole(path: Path) -> None:
    wrong = faults(path)
    if wrong:
        raise LibraryDamaged(f"The repaired library is not whole: {wrong}.", "Restore a backup.")
