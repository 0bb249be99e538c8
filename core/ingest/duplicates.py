"""Three different things: exact duplicates, near-duplicates and bursts.

Exact: equal bytes or equal pixels. Burst: photos of one contributor, each at most two seconds
after the one before and similar to it. Near: photos (other than the two) whose vectors have a
cosine above the model's near-duplicate threshold, looked for among the neighbours in time and
among the nearest in the whole library.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.domain.arrays import Float32Array, Int64Array
from core.domain.moment import ClockSource, Precision
from core.domain.photo import FileStamp, Photo, PhotoId
from core.domain.report import DuplicateGroup
from core.ingest.groups import Groups
from core.progress import Progress
from core.protocols import Perception
from core.store.library import Library
from core.store.photos import TimelineEntry
from core.store.slices import batches

_BURST_S = 2.0
_BURST_SLACK = 0.12
"""Within a burst things move: its photos may be less alike than near-duplicates by this cosine."""

_NEIGHBOURS = 20
_BLOCK = 512
Pair = tuple[PhotoId, PhotoId]


@dataclass(frozen=True, slots=True)
class _Vectors:
    """All photos' vectors, (n, dim), and where each photo's row is."""

    ids: Int64Array
    rows: Float32Array
    at: dict[int, int]

    def cosine(self, one: PhotoId, other: PhotoId) -> float:
        """Cosine of two photos; -1 where one has no vector."""
        if one not in self.at or other not in self.at:
            return -1.0
        return float(self.rows[self.at[one]] @ self.rows[self.at[other]])


def find_duplicates(
    library: Library, perception: Perception, progress: Progress
) -> list[DuplicateGroup]:
    """Groups of two files or more, exact ones first; raises Cancelled."""
    ids, rows = library.vectors.load(perception.encoder.name)
    vectors = _Vectors(ids, rows, {int(i): n for n, i in enumerate(ids)})
    above = perception.presence.near_duplicate_above
    timeline = [entry for entry in library.photos.timeline() if entry.order_key is not None]
    bursts = set(_burst_pairs(timeline, vectors, above - _BURST_SLACK))
    near = set(_neighbour_pairs(timeline, vectors, above))
    near |= set(_nearest_pairs(vectors, above, progress))
    grouped = {photo for pair in bursts for photo in pair}
    near = {pair for pair in near if not (pair[0] in grouped and pair[1] in grouped)}
    found = list(_exact(library))
    found += _photo_groups("near", near, library)
    found += _photo_groups("burst", bursts, library)
    return found


def _exact(library: Library) -> Iterator[DuplicateGroup]:
    """Files of equal pixels; links to one and the same file are not duplicates."""
    for stamps in library.photos.exact_duplicates():
        distinct = _distinct_files(stamps)
        if len(distinct) > 1:
            best = max(distinct, key=lambda s: (s.size, -s.modified_ns, s.path))
            yield DuplicateGroup("exact", best.path, tuple(s.path for s in distinct))


def _distinct_files(stamps: Sequence[FileStamp]) -> list[FileStamp]:
    seen: dict[object, FileStamp] = {}
    for stamp in sorted(stamps, key=lambda s: (s.path.is_symlink(), s.path)):
        try:
            found = stamp.path.stat()
        except OSError:  # offline: what the library knows counts
            seen[stamp.path] = stamp
            continue
        seen.setdefault((found.st_dev, found.st_ino) if found.st_ino else stamp.path, stamp)
    return sorted(seen.values(), key=lambda s: s.path)


def _burst_pairs(
    timeline: Sequence[TimelineEntry], vectors: _Vectors, above: float
) -> Iterator[Pair]:
    devices: dict[str, list[TimelineEntry]] = {}
    for entry in timeline:
        devices.setdefault(entry.contributor, []).append(entry)
    for entries in devices.values():
        for one, other in pairwise(entries):
            apart = (other.order_key or 0.0) - (one.order_key or 0.0)
            close = _is_exact(one) and _is_exact(other) and apart <= _BURST_S
            if close and vectors.cosine(one.photo_id, other.photo_id) >= above:
                yield _pair(one.photo_id, other.photo_id)


def _is_exact(entry: TimelineEntry) -> bool:
    """Whether a camera told the second; a file's time or a day make no burst."""
    taken = entry.taken
    if taken is None or taken.source is ClockSource.FILE_TIME:
        return False
    return taken.precision is Precision.SECOND


def _neighbour_pairs(
    timeline: Sequence[TimelineEntry], vectors: _Vectors, above: float
) -> Iterator[Pair]:
    """Photos next to each other in time, a few apart."""
    for start, entry in enumerate(timeline):
        for other in timeline[start + 1 : start + 1 + _NEIGHBOURS]:
            if vectors.cosine(entry.photo_id, other.photo_id) >= above:
                yield _pair(entry.photo_id, other.photo_id)


def _nearest_pairs(vectors: _Vectors, above: float, progress: Progress) -> Iterator[Pair]:
    """Each photo and the one most like it in the whole library."""
    count = len(vectors.ids)
    starts = range(0, count, _BLOCK)
    for start in progress.track("duplicates", starts, len(starts)):
        block = vectors.rows[start : start + _BLOCK]
        best = np.full(len(block), -1.0, np.float32)
        who = np.zeros(len(block), np.int64)
        for other in range(0, count, 16 * _BLOCK):
            scores = block @ vectors.rows[other : other + 16 * _BLOCK].T
            _forget_itself(scores, start, other)
            column = scores.argmax(axis=1)
            value = scores[np.arange(len(block)), column]
            better = value > best
            best[better], who[better] = value[better], column[better] + other
            progress.check()
        for row in np.flatnonzero(best >= above):
            yield _pair(PhotoId(int(vectors.ids[start + row])), PhotoId(int(vectors.ids[who[row]])))


def _forget_itself(scores: Float32Array, start: int, other: int) -> None:
    rows = np.arange(len(scores)) + start - other
    inside = (rows >= 0) & (rows < scores.shape[1])
    scores[np.flatnonzero(inside), rows[inside]] = -1.0


def _pair(one: PhotoId, other: PhotoId) -> Pair:
    return (one, other) if one < other else (other, one)


def _photo_groups(kind: str, pairs: set[Pair], library: Library) -> list[DuplicateGroup]:
    ids = sorted({photo for pair in pairs for photo in pair})
    number = {photo: n for n, photo in enumerate(ids)}
    groups = Groups(len(ids))
    for one, other in pairs:
        groups.join(number[one], number[other])
    photos = {p.id: p for batch in batches(ids) for p in library.photos.photos(batch)}
    made = [[photos[ids[n]] for n in group] for group in groups.all()]
    return [_group(kind, members) for members in made if not _same_pixels(members)]


def _same_pixels(members: Sequence[Photo]) -> bool:
    """Exact duplicates are told as such, once."""
    hashes = {photo.facts.pixel_hash for photo in members}
    return len(hashes) == 1 and "" not in hashes


def _group(kind: str, members: Sequence[Photo]) -> DuplicateGroup:
    """The best has most pixels, then most bytes, then the first path."""
    ordered = sorted(members, key=lambda p: (p.facts.order_key or 0.0, str(p.path)))
    best = max(ordered, key=_quality)
    return DuplicateGroup(kind, best.path, tuple(photo.path for photo in ordered))


def _quality(photo: Photo) -> tuple[int, int]:
    return photo.facts.width * photo.facts.height, photo.files[0].size
