"""What may be wrong inside a database that SQLite finds whole, and how it is mended.

Nothing that a person decided is ever removed here.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.domain.health import ModelShare
from core.domain.photo import PhotoId
from core.errors import LibraryDamaged
from core.progress import Progress
from core.store.backup import back_up
from core.store.database import Database
from core.store.photos import PhotoStore
from core.store.salvage.settle import remove_dangling

_BATCH = 500
_BEFORE_REPAIR = "before-repair"
_KEPT_OF_THESE = 2
FORGET_CLAIMS = "DELETE FROM facts WHERE name IN ('vectors:complete', 'thumbnails')"
"""Facts by which index runs know that they need not look for what is missing."""


def full_text_fault(database: Database) -> str:
    """What is wrong with the index of full-text search; empty where it fits its texts."""
    try:
        with database.write() as connection:
            connection.exec_driver_sql(
                "INSERT INTO profile_text (profile_text) VALUES ('integrity-check')"
            )
    except LibraryDamaged as error:
        return error.message
    return ""


def rebuild_full_text(database: Database) -> None:
    """Make the index again from the texts, and leave out texts of no photo."""
    with database.write() as connection:
        connection.exec_driver_sql("INSERT INTO profile_text (profile_text) VALUES ('rebuild')")
        connection.exec_driver_sql(
            "DELETE FROM profile_text WHERE rowid NOT IN (SELECT id FROM photos)"
        )


def photos_without_profile(database: Database) -> list[PhotoId]:
    """Photos with a file that models have seen and that have no words all the same."""
    with database.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT DISTINCT photo_id FROM files WHERE photo_id IN (SELECT photo_id FROM vectors) "
            "AND photo_id NOT IN (SELECT id FROM profile_text_content) ORDER BY photo_id"
        )
        return [PhotoId(row[0]) for row in rows]


def describe_again(database: Database, ids: list[PhotoId], proxies: str) -> None:
    """Have the next index run make the words of photos again, from the vectors that it has."""
    with database.write() as connection:
        for photo_id in ids:
            connection.exec_driver_sql(
                "DELETE FROM vectors WHERE model = ? AND photo_id = ?", (proxies, photo_id)
            )


def forget_claims(database: Database) -> None:
    """Let the next index run look for whatever is missing, instead of trusting that nothing is."""
    with database.write() as connection:
        connection.exec_driver_sql(FORGET_CLAIMS)


def unreadable_photos(database: Database, progress: Progress) -> list[PhotoId]:
    """Photos whose stored values make no sense; raises Cancelled."""
    store = PhotoStore(database)
    ids, wrong = store.ids(), []
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        if not _is_readable(store, batch):
            wrong += [photo_id for photo_id in batch if not _is_readable(store, [photo_id])]
        progress.report("read rows", min(start + _BATCH, len(ids)), len(ids))
    return wrong


def _is_readable(store: PhotoStore, ids: list[PhotoId]) -> bool:
    try:
        store.photos(ids)
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return True


def mend_rows(database: Database) -> int:
    """Remove rows that refer to nothing; returns how many."""
    with closing(database.connection()) as connection:
        connection.execute("BEGIN IMMEDIATE")
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        removed, tables = 0, {row[0] for row in names}
        while more := remove_dangling(connection, tables):
            removed += more
        connection.execute("COMMIT")
    return removed


def mend_indexes(database: Database) -> bool:
    """Make every index again; whether the database is whole afterwards."""
    try:
        with closing(database.connection()) as connection:
            connection.execute("REINDEX")
        return not [line for line in database.check() if "refers to nothing" not in line]
    except (sqlite3.DatabaseError, LibraryDamaged):
        return False


def shares_of_models(database: Database) -> list[ModelShare]:
    """How many vectors each model has, and their bytes."""
    with database.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT model, count(*), max(length(vector)) FROM vectors GROUP BY model"
        ).all()
    return [ModelShare(str(row[0]), int(row[1]), int(row[1]) * int(row[2])) for row in rows]


def known_hashes(database: Database, prefix: str) -> set[str]:
    """The contents' hashes that begin so, of photos with and without a file."""
    beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    with database.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT content_hash FROM photos WHERE content_hash >= ? AND content_hash < ?",
            (prefix, beyond),
        )
        return {str(row[0]) for row in rows}


def back_up_before_repair(database: Database, moment: str, progress: Progress) -> Path:
    """A whole copy, of which the last few are kept; raises as `back_up`."""
    folder = database.paths.backups
    target = folder / f"{_BEFORE_REPAIR}-{moment}.sqlite"
    with closing(database.connection()) as connection:
        back_up(connection, target, progress)
    older = sorted(folder.glob(f"{_BEFORE_REPAIR}-*.sqlite"), reverse=True)[_KEPT_OF_THESE:]
    for path in older:
        path.unlink(missing_ok=True)
    return target
