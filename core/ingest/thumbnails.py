"""Makes thumbnails again that have been deleted; nothing else of their photos is touched."""

from collections.abc import Sequence

from core.domain.photo import PhotoId
from core.ingest.decode_pool import DecodePool
from core.ingest.jobs import DecodeJob
from core.paths import is_file
from core.progress import Progress
from core.store.library import Library

_BATCH = 500


def photos_without_thumbnail(library: Library) -> list[PhotoId]:
    """Photos that have a file but no thumbnail, by id."""
    return [
        photo_id
        for photo_id, content_hash in library.photos.hashes()
        if not library.paths.thumbnail(content_hash).exists()
    ]


def mend_thumbnails(library: Library, pool: DecodePool, progress: Progress) -> None:
    """Make every missing thumbnail of a photo that is in reach; raises Cancelled."""
    missing = photos_without_thumbnail(library)
    for start in range(0, len(missing), _BATCH):
        _mend(library, pool, missing[start : start + _BATCH])
        progress.report("thumbnails", min(start + _BATCH, len(missing)), len(missing))


def _mend(library: Library, pool: DecodePool, ids: Sequence[PhotoId]) -> None:
    files = [
        next((stamp for stamp in photo.files if is_file(stamp.path)), None)
        for photo in library.photos.photos(ids)
    ]
    jobs = [DecodeJob(stamp, only_new=False) for stamp in files if stamp is not None]
    with pool.outcomes(jobs, lambda _: False) as outcomes:
        for _ in outcomes:  # the decoding process has written the thumbnail
            continue
