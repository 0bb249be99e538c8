"""Log lines that may come by the thousand, kept to a few."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

_PAUSE_S = 60.0


@dataclass(slots=True)
class SeldomLog:
    """Logs the same line at most once a minute, and then how often it was left out."""

    logger: logging.Logger
    clock: Callable[[], float]
    _next: dict[str, float] = field(default_factory=dict)
    _left_out: dict[str, int] = field(default_factory=dict)

    def info(self, line: str) -> None:
        """Log a line unless it was logged just now."""
        now = self.clock()
        if now < self._next.get(line, now):
            self._left_out[line] = self._left_out.get(line, 0) + 1
            return
        self._next[line] = now + _PAUSE_S
        left_out = self._left_out.pop(line, 0)
        self.logger.info("%s%s", line, f" (and {left_out} times before)" * bool(left_out))
