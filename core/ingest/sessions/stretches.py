"""Stretches of time in seconds since 1970 UTC: joined, widened, and closed by silences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.store.entries import EntryStore


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `first` to `last`, inclusive, and whose photos have changed in it."""

    first: float
    last: float
    who: frozenset[str] = frozenset()

    def widened(self, seconds: float) -> "Stretch":
        """Longer on both sides."""
        return Stretch(self.first - seconds, self.last + seconds, self.who)

    def within(self, first: float, last: float) -> "Stretch":
        """Cut to some bounds."""
        return Stretch(max(self.first, first), min(self.last, last), self.who)


def merged(stretches: Iterable[Stretch], most: int | None = None) -> list[Stretch]:
    """Stretches that touch as one, in order; one long stretch where more than `most` were left."""
    groups: list[list[Stretch]] = []
    last = 0.0
    for stretch in sorted(stretches, key=lambda s: (s.first, s.last)):
        if groups and stretch.first <= last:
            groups[-1].append(stretch)
            last = max(last, stretch.last)
        else:
            groups.append([stretch])
            last = stretch.last
    if most is not None and len(groups) > most:
        groups = [[stretch for group in groups for stretch in group]]
    return [_one(group) for group in groups]


def _one(group: Sequence[Stretch]) -> Stretch:
    if len(group) == 1:
        return group[0]
    who = frozenset(name for stretch in group for name in stretch.who)
    return Stretch(group[0].first, max(stretch.last for stretch in group), who)


def closed(stretch: Stretch, entries: EntryStore, gap_s: float) -> Stretch:
    """Widened to where photos are followed by a silence longer than the gap, on both sides."""
    first = _silence(stretch.first, entries.keys(stretch.first, later=False), gap_s)
    last = _silence(stretch.last, entries.keys(stretch.last, later=True), gap_s)
    return Stretch(first, last, stretch.who)


def _silence(at: float, keys: Iterator[float], gap_s: float) -> float:
    """The last key before the first silence on the way from a time."""
    for key in keys:
        if abs(key - at) > gap_s:
            break
        at = key
    return at
