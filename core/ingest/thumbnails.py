"""Makes thumbnails again that have been deleted; nothing else of their photos is touched."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.domain.photo import PhotoId
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import DecodeJob
from core.paths import is_file
from core.progress import Progress
from core.store.library import Library

_BATCH = 500
_SEEN = "thumbnails"
"""The fact that tells how the folders of thumbnails were when all that can be made were there."""

_PREFIXES = tuple(f"{number:02x}" for number in range(256))


def photos_without_thumbnail(library: Library) -> list[PhotoId]:
    """Photos that have a file but no thumbnail, by id."""
    return sorted(_without_thumbnail(library))


def _without_thumbnail(library: Library) -> Iterator[PhotoId]:
    for prefix in _PREFIXES:  # one folder at a time: no photo is asked for by itself
        held = dict(library.photos.hashes_from(prefix))
        if not held:
            continue
        there = _names(library.paths.thumbnails / prefix)
        yield from (i for i, content in held.items() if f"{content}.jpg" not in there)


def _names(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - names alone, they may be many
    except OSError:
        return frozenset()


class ThumbnailCheck:
    """Made when a run begins, so that it sees what was deleted before; then it mends.

    Folders that nobody has touched since the last run are not listed again.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._untouched = library.facts.get(_SEEN) == self._state()

    def mend(self, pool: DecodePool, progress: Progress) -> None:
        """Make every missing thumbnail of a photo that is in reach; raises Cancelled."""
        left = 0
        if not self._untouched:
            missing = photos_without_thumbnail(self._library)
            for start in range(0, len(missing), _BATCH):
                left += self._mend(pool, missing[start : start + _BATCH])
                progress.report("thumbnails", min(start + _BATCH, len(missing)), len(missing))
        state = "" if left else self._state()
        if state != self._library.facts.get(_SEEN):
            self._library.facts.put(_SEEN, state)

    def _mend(self, pool: DecodePool, ids: Sequence[PhotoId]) -> int:
        """Make some; returns how many photos are out of reach."""
        files = [
            next((stamp for stamp in photo.files if is_file(stamp.path)), None)
            for photo in self._library.photos.photos(ids)
        ]
        jobs = [DecodeJob(stamp, only_new=False) for stamp in files if stamp is not None]
        with pool.outcomes(jobs, lambda _: False) as outcomes:
            for _ in outcomes:  # the decoding process has written the thumbnail
                continue
        return files.count(None)

    def _state(self) -> str:
        """Another one as soon as a thumbnail comes or goes."""
        digest = hashlib.sha256()
        for prefix in _PREFIXES:
            try:
                changed = (self._library.paths.thumbnails / prefix).stat().st_mtime_ns
            except OSError:
                changed = 0
            digest.update(f"{prefix} {changed} ".encode())
        return digest.hexdigest()
