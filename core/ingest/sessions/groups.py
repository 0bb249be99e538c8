"""Disjoint sets of numbers, joined pair by pair."""

import numpy as np

from core.domain.arrays import Int64Array


class Groups:
    """Disjoint sets of numbers 0 to n - 1."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))
        self._roots: Int64Array | None = None

    def _root(self, item: int) -> int:
        while self._parents[item] != item:
            self._parents[item] = self._parents[self._parents[item]]
            item = self._parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make two sets one."""
        low, high = sorted((self._root(one), self._root(other)))
        if low != high:
            self._parents[high] = low
            self._roots = None

    def roots(self) -> Int64Array:
        """The least member of each number's set, (n): equal for numbers of one set."""
        if self._roots is None:
            count = len(self._parents)
            self._roots = np.fromiter(map(self._root, range(count)), np.int64, count)
        return self._roots

    def sizes(self) -> Int64Array:
        """How many are in the set of each number, (n)."""
        roots = self.roots()
        return np.bincount(roots, minlength=len(roots))[roots]

    def all(self) -> list[list[int]]:
        """The sets, each in order, by their first member."""
        groups: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            groups.setdefault(self._root(item), []).append(item)
        return [groups[root] for root in sorted(groups)]
