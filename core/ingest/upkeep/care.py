"""Mends a library, restores a backup of it: what `doctor` does when it is asked to."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from core.backends.index_cache import cache_fault
from core.domain.health import Repair
from core.errors import LibraryDamaged
from core.ingest.further import is_of_any
from core.ingest.upkeep.leftovers import remove, thumbnail_faults, unfinished
from core.paths import LibraryPaths
from core.progress import Progress
from core.protocols import Perception
from core.store.backup_shelf import newest_whole
from core.store.checkup import (
    back_up_before_repair,
    describe_again,
    forget_claims,
    full_text_fault,
    mend_indexes,
    mend_rows,
    photos_without_profile,
    rebuild_full_text,
)
from core.store.failures import damaged
from core.store.library import Library, open_library
from core.store.repair import Replaced, restore_library, salvage_library

_log = logging.getLogger(__name__)
_AGAIN = "index the folders again: what is missing is read anew"


def repair(paths: LibraryPaths, progress: Progress) -> Repair:
    """Mend what can be mended: the file itself where it is damaged, then what is in it.

    Originals and thumbnails of photos are not touched; a copy of the library is made before, or
    the damaged file set aside. Raises LibraryError, Cancelled.
    """
    if not paths.database.exists() and newest_whole(paths.backups):
        return restore(paths, None, progress)
    try:
        return _mended(paths, progress)
    except LibraryDamaged as error:
        _log.warning("the library is damaged; salvaging it")
        replaced = salvage_library(paths, progress)
        told = _told(error, replaced)
        after = _mended(paths, progress)
        return Repair((*told.done, *after.done), (*told.lost, *after.lost))


def _mended(paths: LibraryPaths, progress: Progress) -> Repair:
    """Mend inside a file that SQLite can use; raises LibraryDamaged where it cannot."""
    with closing(open_library(paths)) as library:
        done = list(_mend_file(library, progress))
        done += _mend_content(library, progress)
        done += _mend_folder(library, progress)
    return Repair(tuple(done))


def _mend_file(library: Library, progress: Progress) -> Iterator[str]:
    progress.report("examine", 0)
    wrong = library.database.check()
    dangling = [line for line in wrong if "refers to nothing" in line]
    if len(wrong) > len(dangling):
        if not mend_indexes(library.database):
            raise damaged(wrong[0])
        yield "made the indexes of the library file again"
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    copy = back_up_before_repair(library.database, moment, progress)
    yield f"copied the library to {copy.name} in its folder of backups"
    if dangling:
        yield f"removed {mend_rows(library.database)} rows that referred to nothing"


def _mend_content(library: Library, progress: Progress) -> Iterator[str]:
    if full_text_fault(library.database):
        rebuild_full_text(library.database)
        yield "made the index of words again"
    progress.report("mend", 0)
    wordless = photos_without_profile(library.database)
    if wordless:
        for proxies in [model for model in library.vectors.counts() if "+" in model]:
            describe_again(library.database, wordless, proxies)
        yield f"{len(wordless)} photos get their words again: index the folders"
    forget_claims(library.database)


def _mend_folder(library: Library, progress: Progress) -> Iterator[str]:
    removed = remove(unfinished(library))
    if removed:
        yield f"removed {removed} unfinished files"
    faults = thumbnail_faults(library, progress)
    removed = remove((*faults.orphans, *faults.empty))
    if removed:
        yield f"removed {removed} thumbnails of no photo, or with nothing in them"
    if removed := sum(_drop_cache(library, path) for path in library.paths.vectors.glob("*.npz")):
        yield f"removed {removed} vector caches; the next search makes them again"


def _drop_cache(library: Library, path: Path) -> bool:
    """Remove a cache that is of no model, or that does not fit; whether so."""
    for model in library.vectors.counts():
        if library.paths.vector_cache(model) == path:
            _, vectors = library.vectors.of(model, library.photos.ids()[:1])
            dim, fingerprint = vectors.shape[1], library.vectors.fingerprint(model)
            if dim and not cache_fault(path, dim, fingerprint):
                return False
    path.unlink(missing_ok=True)
    return True


def restore(paths: LibraryPaths, source: Path | None, progress: Progress) -> Repair:
    """Put a backup in the place of the library; raises InputError, LibraryError, Cancelled."""
    replaced = restore_library(paths, source, progress)
    name = replaced.backup.name if replaced.backup else ""
    done = [f"restored {name}", *_kept_aside(replaced)]
    return Repair((*done, _AGAIN))


def _told(error: LibraryDamaged, replaced: Replaced) -> Repair:
    """A salvage in words."""
    rescue = replaced.rescue
    done, lost = [error.message, *_kept_aside(replaced)], list[str]()
    if rescue is not None and rescue.is_worth_keeping:
        kept = ", ".join(f"{rescue.kept.get(table, 0)} {table}"
                         for table in ("photos", "decisions", "judgements", "tags"))  # fmt: skip
        done.append(f"kept what could be read: {kept}")
        if rescue.filled:
            filled = ", ".join(f"{count} {table}" for table, count in rescue.filled.items())
            name = replaced.backup.name if replaced.backup else ""
            done.append(f"took from the backup {name}: {filled}")
        if rescue.lost:
            tables = ", ".join(sorted(rescue.broken)) or "indexes"
            lost.append(f"{rescue.lost} pages or rows could not be read, of {tables}")
    else:
        name = replaced.backup.name if replaced.backup else ""
        done.append(f"nothing could be read; restored the backup {name}")
        lost.append("what was done since that backup")
    return Repair((*done, _AGAIN), tuple(lost))


def _kept_aside(replaced: Replaced) -> Iterator[str]:
    if replaced.set_aside is not None:
        folder = replaced.set_aside.parent.name
        yield f"the library as it was is kept as {folder}/{replaced.set_aside.name}"


def forget_old_models(
    library: Library, perception: Perception, encoders: Sequence[str] = ()
) -> Repair:
    """Drop the vectors of every model but today's; raises LibraryError.

    `encoders` names further ones in use: theirs stay, also while their files are gone.
    """
    current = {perception.encoder.name, perception.proxy_name}
    models = [model for model in library.vectors.counts() if model not in current]
    old = [model for model in models if not is_of_any(model, encoders)]
    for model in old:
        library.vectors.forget(model)
        library.paths.vector_cache(model).unlink(missing_ok=True)
    return Repair(tuple(f"forgot the vectors of {model}" for model in old))
