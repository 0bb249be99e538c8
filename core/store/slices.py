"""Long lists in slices that fit into one SQL statement."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

_MOST = 500
Item = TypeVar("Item")


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Slices small enough for one SQL statement."""
    for start in range(0, len(items), _MOST):
        yield items[start : start + _MOST]
