"""How many photos or texts go through a model at once: found by trying, halved where too many."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.backends.transformers.oom import is_out_of_memory
from core.errors import ModelOutOfMemory

_log = logging.getLogger(__name__)
_GAIN = 1.05
"""A batch twice the size must be at least so much faster a row."""


def _free_nothing() -> None:
    """For devices that keep no memory back."""


@dataclass(slots=True)
class Batches:
    """Cuts rows into batches of `size`; where memory ends, of half the size from then on.

    `free` gives back what the device keeps for later.
    """

    model: str
    size: int = 32
    free: Callable[[], None] = field(default=_free_nothing)

    def over(self, rows: Any, work: Callable[[Any], Any]) -> Iterator[Any]:
        """What `work` makes of each batch, in order; raises ModelOutOfMemory."""
        start = 0
        while start < len(rows):
            batch = rows[start : start + self.size]
            made = self._tried(batch, work)
            if made is not None:
                start += len(batch)
                yield made

    def _tried(self, batch: Any, work: Callable[[Any], Any]) -> Any:
        """The work done, None where it must be tried with fewer rows."""
        try:
            return work(batch)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if len(batch) == 1:
                raise ModelOutOfMemory(
                    f"There is not enough memory to run {self.model}.",
                    "Close other programs, or use a smaller model.",
                ) from error
        self.size = len(batch) // 2
        self.free()
        _log.warning("out of memory: batches of %d from now on", self.size)
        return None


def find_batch_size(rate: Callable[[int], float], start: int, most: int) -> int:
    """Doubles from `start` while rows a second grow, until memory ends or `most` is reached."""
    size, best = start, rate(start)
    while size * 2 <= most:
        try:
            faster = rate(size * 2)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            return size
        if faster < best * _GAIN:
            return size
        size, best = size * 2, faster
    return size
