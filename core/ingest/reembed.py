"""Describes photos again whose vectors are missing: a new model, or a run that was cut short."""

from collections.abc import Iterator, Sequence

from core.domain.photo import FileStamp, Photo, PhotoId
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import Decoded, DecodeJob
from core.ingest.embed import BATCH, describe_vectors, embed_squares
from core.ingest.keep import Keeper
from core.ingest.seen import all_are_seen, mark_all_seen
from core.paths import is_file
from core.progress import Progress


def embed_missing(keeper: Keeper, pool: DecodePool, progress: Progress) -> None:
    """Give every photo that can be read vectors of today's models; raises Cancelled."""
    if all_are_seen(keeper.library, keeper.perception):
        return
    models = (keeper.perception.encoder.name, keeper.perception.proxy_name)
    ids = keeper.library.vectors.missing(models[0])
    for start in range(0, len(ids), BATCH):
        _look_again(keeper, pool, ids[start : start + BATCH])
        progress.report("embed", min(start + BATCH, len(ids)), len(ids))
    proxies = keeper.library.vectors.missing(models[1])
    for start in range(0, len(proxies), BATCH):
        _describe_again(keeper, proxies[start : start + BATCH])
        progress.report("embed", min(start + BATCH, len(proxies)), len(proxies))
    if not any(keeper.library.vectors.missing(model) for model in models):
        mark_all_seen(keeper.library, keeper.perception)


def _look_again(keeper: Keeper, pool: DecodePool, ids: Sequence[PhotoId]) -> None:
    readable = [(photo, stamp) for photo, stamp in _files(keeper, ids) if stamp is not None]
    jobs = [DecodeJob(stamp, only_new=False) for _, stamp in readable]
    photos, squares = [], []
    with keeper.times.stage("read"), pool.outcomes(jobs, lambda _: False) as outcomes:
        for (photo, _), outcome in zip(readable, outcomes, strict=True):
            keeper.times.spent_elsewhere("read", outcome.cpu_seconds)
            if not isinstance(outcome, Decoded):
                continue
            if outcome.content_hash == photo.facts.content_hash:
                photos.append(photo)
                squares.append(outcome.square)
    if not photos:
        return
    with keeper.times.stage("embed"):
        embedded = embed_squares(squares, keeper.perception)
    with keeper.times.stage("save"):
        keeper.save_described([p.id for p in photos], [p.facts for p in photos], embedded)
    keeper.kept.embedded += len(photos)


def _files(keeper: Keeper, ids: Sequence[PhotoId]) -> Iterator[tuple[Photo, FileStamp | None]]:
    """Each photo with a file of it that is there now, None where all are offline."""
    for photo in keeper.library.photos.photos(ids):
        yield photo, next((stamp for stamp in photo.files if is_file(stamp.path)), None)


def _describe_again(keeper: Keeper, ids: Sequence[PhotoId]) -> None:
    name = keeper.perception.encoder.name
    found, vectors = keeper.library.vectors.of(name, ids)
    if not found:
        return
    photos = keeper.library.photos.photos(found)
    with keeper.times.stage("embed"):
        embedded = describe_vectors(vectors, keeper.perception)
    with keeper.times.stage("save"):
        keeper.save_described(found, [photo.facts for photo in photos], embedded)
