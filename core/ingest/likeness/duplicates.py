"""Three different things: exact duplicates, near-duplicates and bursts.

Exact: equal bytes or equal pixels. Burst: photos of one contributor, each at most two seconds
after another one and similar to it. Near: photos (other than the two) whose vectors have a cosine
above the model's near-duplicate threshold. They are looked for among the neighbours in time and,
anywhere in the library, among photos whose perceptual hashes are few bits apart, so that the work
grows with the library and not with its square. Where a photo has no vector its hash alone decides,
more strictly. The frames of a time-lapse are no duplicates of each other, and of
videos only equal ones are told.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from core.domain.arrays import BoolArray, Int64Array
from core.domain.photo import Photo, PhotoId
from core.domain.report import DuplicateGroup
from core.ingest.likeness.best_shot import best_shot
from core.ingest.likeness.bursts import burst_pairs, time_lapses
from core.ingest.likeness.copies import exact_groups
from core.ingest.likeness.likeness import Likeness
from core.ingest.likeness.look import LIKE_WITHIN, SAME_WITHIN
from core.ingest.likeness.near import BLOCK, Pairs, followers, hash_pairs
from core.ingest.sessions.groups import Groups
from core.progress import Progress
from core.protocols import Perception
from core.store.library import Library
from core.store.looks import LookColumns, load_looks

_NEIGHBOURS = 20
_TOGETHER = 4096
"""Pairs that are compared at once, and photos that are read at once."""


def find_duplicates(
    library: Library, perception: Perception, progress: Progress
) -> list[DuplicateGroup]:
    """Groups of two files or more, exact ones first; raises Cancelled."""
    found = list(exact_groups(library, progress))
    looks = load_looks(library.database)
    likeness = Likeness(library, perception.encoder.name, looks)
    above = perception.presence.near_duplicate_above
    lapses = time_lapses(likeness, above, progress)
    bursts = Groups(len(looks.ids))
    for left, right in burst_pairs(likeness, above, progress):
        _join(bursts, left, right, ~_of_one_lapse(lapses, left, right))
    in_burst = bursts.sizes() > 1
    near = Groups(len(looks.ids))
    for left, right in _candidates(looks, progress):
        open_ = ~_of_one_lapse(lapses, left, right) & ~(in_burst[left] & in_burst[right])
        open_ &= near.roots()[left] != near.roots()[right]
        _join_alike(near, likeness, (left[open_], right[open_]), above, progress)
    for kind, groups in (("near", near), ("burst", bursts)):
        found += _photo_groups(kind, groups, looks, library, progress)
    return found


def _of_one_lapse(lapses: Int64Array, left: Int64Array, right: Int64Array) -> BoolArray:
    return np.asarray((lapses[left] >= 0) & (lapses[left] == lapses[right]))


def _join(groups: Groups, left: Int64Array, right: Int64Array, wanted: BoolArray) -> None:
    for one, other in zip(left[wanted].tolist(), right[wanted].tolist(), strict=True):
        groups.join(one, other)


def _join_alike(
    groups: Groups, likeness: Likeness, pairs: Pairs, above: float, progress: Progress
) -> None:
    """Join the pairs that are alike, a part at a time; what is joined is not compared again."""
    for start in range(0, len(pairs[0]), _TOGETHER):
        progress.check()
        left, right = (rows[start : start + _TOGETHER] for rows in pairs)
        apart = groups.roots()[left] != groups.roots()[right]
        left, right = left[apart], right[apart]
        _join(groups, left, right, likeness.alike(left, right, above, SAME_WITHIN))


def _candidates(looks: LookColumns, progress: Progress) -> Iterator[Pairs]:
    """Pairs of rows that may be near-duplicates, in chunks; videos are left out."""
    still = np.flatnonzero(~looks.moving)
    dated = still[~np.isnan(looks.order[still])]
    starts = range(0, len(dated), BLOCK)
    for start in progress.track("neighbours", starts, len(starts)):
        yield followers(dated, start, _NEIGHBOURS)
    hashed = still[looks.hashed[still]]
    by_hash = hashed[np.argsort(looks.hashes[hashed], kind="stable")]
    for start in range(0, len(by_hash), BLOCK):
        left, right = followers(by_hash, start, _NEIGHBOURS)
        equal = looks.hashes[left] == looks.hashes[right]
        yield left[equal], right[equal]
    values, first = np.unique(looks.hashes[by_hash], return_index=True)
    for one, other in hash_pairs(values, LIKE_WITHIN, progress):
        yield by_hash[first[one]], by_hash[first[other]]


def _photo_groups(
    kind: str, groups: Groups, looks: LookColumns, library: Library, progress: Progress
) -> Iterator[DuplicateGroup]:
    """The groups of two or more; the photos of a few groups are in memory at once."""
    members: list[list[PhotoId]] = []
    for group in groups.all():
        if len(group) > 1:
            members.append([PhotoId(int(looks.ids[row])) for row in group])
        if sum(map(len, members)) >= _TOGETHER:
            yield from _described(kind, members, library, progress)
            members = []
    yield from _described(kind, members, library, progress)


def _described(
    kind: str, members: Sequence[Sequence[PhotoId]], library: Library, progress: Progress
) -> Iterator[DuplicateGroup]:
    progress.check()
    photos = iter(library.photos.photos([photo for group in members for photo in group]))
    for group in members:
        described = [next(photos) for _ in group]
        if _same_pixels(described):
            continue
        best = best_shot(described)
        files = tuple(photo.path for photo in described)
        yield DuplicateGroup(kind, best.photo.path, files, best.reason)


def _same_pixels(members: Sequence[Photo]) -> bool:
    """Exact duplicates are told as such, once."""
    hashes = {photo.facts.pixel_hash for photo in members}
    return len(hashes) == 1 and "" not in hashes
