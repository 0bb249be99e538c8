"""Disjoint sets of numbers, joined pair by pair."""


class Groups:
    """Disjoint sets of numbers 0 to n - 1."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def _root(self, item: int) -> int:
        while self._parents[item] != item:
            self._parents[item] = self._parents[self._parents[item]]
            item = self._parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make two sets one."""
        low, high = sorted((self._root(one), self._root(other)))
        self._parents[high] = low

    def all(self) -> list[list[int]]:
        """The sets, each in order, by their first member."""
        groups: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            groups.setdefault(self._root(item), []).append(item)
        return [groups[root] for root in sorted(groups)]
