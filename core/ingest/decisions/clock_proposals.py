"""Clocks that seem wrong: proposed where two devices photographed the same scenes.

A photo of a device whose clock is set by hand and one of a better device (a phone, or one that
knows where it was) are a pair when each is the other's most similar one, they are very similar,
and not known to be far from each other. When the differences of many pairs agree, that
difference is proposed: by at least three moments within 90 s of each other where it is a whole
half hour or longer than twelve hours (a zone, or a date that was never set), by five for any
other; and by twice as many as for any other difference, no difference among them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from core.domain.contributor import ClockProposal, SeenTwice
from core.ingest.decisions.contributors import contributors
from core.ingest.decisions.scene_pairs import Candidate, pairs_of_scenes
from core.ingest.facts import IN_FOLDER
from core.progress import Progress
from core.protocols import PresenceModel
from core.store.clocks import Sighting, sightings
from core.store.library import Library

_AGREE = timedelta(seconds=180)
"""Differences of one cluster: all within 90 s of its middle."""

_RIGHT = timedelta(minutes=5)
"""A clock that is less wrong than this is taken for right."""

_PAUSE = timedelta(days=7)
"""After a longer pause a clock may have been set anew."""

_SAME_MOMENT = timedelta(seconds=60)
_HALF_HOUR = timedelta(minutes=30)
_NEVER_SET = timedelta(hours=12)
_FEW, _MANY = 3, 5
_SLACK = 2.0
"""A step to the side and another device double the distance of near-duplicates."""

_FEWEST_PHOTOS = 3


@dataclass(frozen=True, slots=True)
class _Pair:
    """One scene by two devices; `apart` is right minus wrong."""

    wrong: Sighting
    right: Sighting
    apart: timedelta
    similarity: float


def same_scene_above(presence: PresenceModel) -> float:
    """The cosine from which photos of two devices may show one scene: below near-duplicates."""
    return 1.0 - _SLACK * (1.0 - presence.near_duplicate_above)


def propose_shifts(
    library: Library, model: str, same_scene_above: float, progress: Progress
) -> list[ClockProposal]:
    """The corrections that pairs of photos agree on, by contributor and time; raises Cancelled.

    `model` names the vectors; `same_scene_above` is the cosine from which two may show one scene.
    """
    trusted = {c.name: c.trust for c in contributors(library) if c.photos >= _FEWEST_PHOTOS}
    taken: dict[str, list[Sighting]] = {}
    for sighting in sightings(library.database):
        if sighting.contributor in trusted:
            taken.setdefault(sighting.contributor, []).append(sighting)
    proposals: list[ClockProposal] = []
    for name in progress.track("clocks", sorted(taken), total=len(taken)):
        better = [s for other in taken if trusted[other] > trusted[name] for s in taken[other]]
        if min(len(better), len(taken[name])) >= _FEW:
            both = (taken[name], better)
            found = pairs_of_scenes(library, model, both, same_scene_above, progress)
            proposals += _propose(name, taken[name], [_pair(one) for one in found])
    return proposals


def _pair(found: Candidate) -> _Pair:
    """Local clocks are compared, or instants where both tell theirs."""
    wrong, right = found.wrong, found.right
    apart = right.local - wrong.local
    if wrong.offset is not None and right.offset is not None:
        apart += wrong.offset - right.offset
    return _Pair(wrong, right, apart, found.similarity)


def _propose(
    name: str, photos: Sequence[Sighting], pairs: Sequence[_Pair]
) -> Iterator[ClockProposal]:
    for period in _periods(photos):
        inside = {sighting.photo_id for sighting in period}
        left = [pair for pair in pairs if pair.wrong.photo_id in inside]
        while (cluster := _agreed(left)) is not None:
            first, last = _range(period, cluster, left)
            yield _proposal(name, first, last, cluster)
            left = [pair for pair in left if not first <= pair.wrong.recorded <= last]


def _periods(photos: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """Runs without a long pause, by the device's own clock."""
    ordered = sorted(photos, key=lambda s: (s.recorded, s.photo_id))
    period = ordered[:1]
    for before, after in pairwise(ordered):
        if after.recorded - before.recorded > _PAUSE:
            yield period
            period = []
        period.append(after)
    yield period


def _agreed(pairs: Sequence[_Pair]) -> list[_Pair] | None:
    """The pairs of the difference that most agree on, None where that is not enough."""
    away = [pair for pair in pairs if abs(pair.apart) > _RIGHT]
    cluster = _largest_cluster(away)
    if len(_moments(cluster)) < _needed(cluster):
        return None
    first, last = cluster[0].wrong.recorded, cluster[-1].wrong.recorded
    agreeing = {pair.wrong.photo_id for pair in cluster}
    others = [
        pair
        for pair in pairs
        if pair.wrong.photo_id not in agreeing and first <= pair.wrong.recorded <= last
    ]
    against = len(_moments(_largest_cluster(others)))
    return cluster if 2 * against <= len(_moments(cluster)) else None


def _needed(cluster: Sequence[_Pair]) -> int:
    if not cluster:
        return _FEW
    shift = _shift(cluster)
    usual = abs(shift) >= _NEVER_SET or shift % _HALF_HOUR == timedelta(0)
    return _FEW if usual else _MANY


def _largest_cluster(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The pairs within one window of differences that has most moments, in order of time."""
    ordered = sorted(pairs, key=lambda pair: pair.apart)
    best: list[_Pair] = []
    start = most = 0
    for end, pair in enumerate(ordered, start=1):
        while pair.apart - ordered[start].apart > _AGREE:
            start += 1
        moments = len(_moments(ordered[start:end])) if end - start > most else 0
        if moments > most:
            best, most = ordered[start:end], moments
    return sorted(best, key=lambda pair: (pair.wrong.recorded, pair.wrong.photo_id))


def _moments(pairs: Sequence[_Pair]) -> list[datetime]:
    """Times of the wrong device, of which a burst counts once."""
    moments: list[datetime] = []
    for time in sorted(pair.wrong.recorded for pair in pairs):
        if not moments or time - moments[-1] > _SAME_MOMENT:
            moments.append(time)
    return moments


def _shift(cluster: Sequence[_Pair]) -> timedelta:
    """The middle of the differences; a whole half hour where all but agree on one."""
    middle = timedelta(seconds=round(median(pair.apart.total_seconds() for pair in cluster)))
    whole = round(middle / _HALF_HOUR) * _HALF_HOUR
    return whole if abs(middle - whole) <= _AGREE / 2 else middle


def _range(
    period: Sequence[Sighting], cluster: Sequence[_Pair], pairs: Sequence[_Pair]
) -> tuple[datetime, datetime]:
    """From the evidence outwards, as far as no pair says that the clock was right."""
    first, last = cluster[0].wrong.recorded, cluster[-1].wrong.recorded
    right = [pair.wrong.recorded for pair in pairs if abs(pair.apart) <= _RIGHT]
    after = max((time for time in right if time < first), default=None)
    before = min((time for time in right if time > last), default=None)
    inside = [
        s.recorded
        for s in period
        if (after is None or s.recorded > after) and (before is None or s.recorded < before)
    ]
    return min(inside), max(inside)


def _proposal(
    name: str, first: datetime, last: datetime, cluster: Sequence[_Pair]
) -> ClockProposal:
    devices = [pair.right.contributor.split(IN_FOLDER)[0] for pair in cluster]
    evidence = (
        SeenTwice(p.wrong.photo_id, p.right.photo_id, p.apart, p.similarity) for p in cluster
    )
    return ClockProposal(
        name, max(devices, key=devices.count), _shift(cluster), first, last, tuple(evidence)
    )
