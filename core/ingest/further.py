"""Vectors of further encoders, made from thumbnails while the library is searched.

Thumbnails are our own files, small and always in reach: nothing untrusted is decoded, and also
photos on a disk that is not there get their vectors. Reading runs ahead of the encoder. Each batch
is committed, so that a run which is cancelled or killed loses no more than one.
"""

import os
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from core.domain.arrays import Float32Array, PixelArray
from core.domain.health import HealthCheck
from core.domain.photo import PhotoId
from core.domain.report import IndexReport
from core.ingest.embed import BATCH
from core.ingest.stage_times import StageTimes
from core.progress import Progress
from core.protocols import FurtherEncoder
from core.settings import Settings
from core.store.library import Library

_AHEAD = 4
"""Batches that are read before the encoder wants them."""

_SERVES_STILL = 0.99
"""An encoder that was complete once goes on serving while so many photos have its vector."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the photos within its reach have a vector of an encoder."""

    encoder: str
    embedded: int
    photos: int
    serves: bool

    def __str__(self) -> str:
        told = f"{self.encoder}: {self.embedded:,} of {self.photos:,} photos embedded"
        return told if self.serves else f"{told}; it serves once all are"


@dataclass(frozen=True, slots=True)
class _Batch:
    """Photos whose thumbnails could be read, their squares, and the seconds that it took."""

    ids: list[PhotoId]
    squares: PixelArray
    looked_at: int


def coverage(library: Library, encoder: FurtherEncoder) -> Coverage:
    """How far an encoder has come, and whether searches may rest on it."""
    lacking, photos = library.vectors.lacking_count(encoder.name)
    unreadable = library.facts.get(_fact(encoder))
    short = max(0, lacking - int(unreadable)) if unreadable else lacking
    within = photos - (lacking - short)
    enough = within * _SERVES_STILL if unreadable else within
    return Coverage(encoder.name, within - short, within, within > 0 and within - short >= enough)


def embed_further(
    library: Library, encoder: FurtherEncoder, times: StageTimes, progress: Progress
) -> int:
    """Give every photo that has a thumbnail a vector of the encoder; returns how many got one.

    Raises Cancelled, LibraryError, ModelOutOfMemory; what was made until then is kept.
    """
    ids = library.vectors.missing(encoder.name)
    if not ids:
        _settle(library, encoder)
        return 0
    began, done, made = time.monotonic(), 0, 0
    for batch in _read_ahead(library, encoder, ids, times):
        progress.check()
        if batch.ids:
            with times.stage("embed"):
                vectors = encoder.encode_images(batch.squares)
            _keep(library, encoder, batch.ids, vectors, times)
        done, made = done + batch.looked_at, made + len(batch.ids)
        rate = done / max(time.monotonic() - began, 1e-9)
        progress.report("embed further", done, len(ids), _pace(rate, len(ids) - done))
    _settle(library, encoder)
    return made


def is_of_any(model: str, encoders: Sequence[str]) -> bool:
    """Whether vectors kept under a name are of one of these encoders, in whichever version."""
    return any(model == name or model.startswith(f"{name}-") for name in encoders)


def square_of(thumbnail: Path, side: int, *, crops: bool) -> PixelArray | None:
    """A thumbnail as an encoder's input, (side, side, 3); None where it cannot be read."""
    try:
        with Image.open(thumbnail) as opened:
            picture = opened.convert("RGB")
    except (OSError, UnidentifiedImageError, ValueError):
        return None
    size = (side, side)
    bicubic = Image.Resampling.BICUBIC
    fitted = ImageOps.fit(picture, size, bicubic) if crops else picture.resize(size, bicubic)
    return np.asarray(fitted, np.uint8)


def _keep(
    library: Library,
    encoder: FurtherEncoder,
    ids: Sequence[PhotoId],
    vectors: Float32Array,
    times: StageTimes,
) -> None:
    with times.stage("save"):
        library.vectors.save(encoder.name, ids, vectors)


def _read_ahead(
    library: Library, encoder: FurtherEncoder, ids: Sequence[PhotoId], times: StageTimes
) -> Iterator[_Batch]:
    """Batches in order, some of them being read while the caller is busy."""
    side, crops = encoder.image_size, encoder.crops
    starts = iter(range(0, len(ids), BATCH))
    waiting: deque[Future[_Batch]] = deque()
    with ThreadPoolExecutor(max(1, os.cpu_count() or 1), "thumbnails") as pool:
        try:
            while True:
                for start in starts:
                    some = ids[start : start + BATCH]
                    waiting.append(pool.submit(_read, library, some, side, crops))
                    if len(waiting) > _AHEAD:
                        break
                if not waiting:
                    return
                with times.stage("read"):
                    batch = waiting.popleft().result()
                yield batch
        finally:
            for future in waiting:
                future.cancel()


def _read(library: Library, ids: Sequence[PhotoId], side: int, crops: bool) -> _Batch:
    found: list[PhotoId] = []
    squares: list[PixelArray] = []
    for photo in library.photos.photos(ids):
        path = library.paths.thumbnail(photo.facts.content_hash)
        square = square_of(path, side, crops=crops)
        if square is not None:
            found.append(photo.id)
            squares.append(square)
    stacked = np.stack(squares) if squares else np.empty((0, side, side, 3), np.uint8)
    return _Batch(found, stacked, len(ids))


def _settle(library: Library, encoder: FurtherEncoder) -> None:
    """Remember that all was tried, and how many photos could not be read."""
    lacking, _ = library.vectors.lacking_count(encoder.name)
    if library.facts.get(_fact(encoder)) != str(lacking):
        library.facts.put(_fact(encoder), str(lacking))


def _fact(encoder: FurtherEncoder) -> str:
    return f"further:{encoder.name}:unreadable"


def _pace(rate: float, left: int) -> str:
    minutes = left / max(rate, 1e-9) / 60
    to_go = f"{minutes:.0f} min" if minutes >= 1 else f"{minutes * 60:.0f} s"
    return f"{rate:.1f} photos/s, {to_go} to go"


def with_further(
    report: IndexReport, times: StageTimes, embedded: int, notes: Sequence[str]
) -> IndexReport:
    """A run's report with what further encoders took, and what is to be said of them."""
    before = sum(report.seconds.values()) if not report.rate else report.embedded / report.rate
    whole = max(before + times.total, 1e-9)
    return replace(
        report,
        seconds=_added(report.seconds, times.seconds),
        cpu_seconds=_added(report.cpu_seconds, times.cpu_seconds),
        rate=report.embedded / whole,
        further=report.further + embedded,
        notes=(*report.notes, *notes),
    )


def further_health(notes: Sequence[str], settings: Settings) -> list[HealthCheck]:
    """A check of the encoders that a library's settings name, none where they name none."""
    if not settings.models.encoders:
        return []
    mend = "; index the folders again to complete them"
    detail = " ".join(notes) + mend if notes else "their vectors are complete"
    return [HealthCheck("further encoders", not notes, detail)]


def _added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}
