"""Collects what happens during one search: events in order, seconds by stage."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.domain.answer import TraceEvent


@dataclass(slots=True)
class SearchLog:
    """The trace and the clock of one search."""

    events: list[TraceEvent] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    _started: float = field(default_factory=time.perf_counter)

    def note(self, event: str, detail: str) -> None:
        """Add an event to the trace."""
        self.events.append(TraceEvent(event, detail))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent inside to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

    def mark(self, name: str) -> None:
        """Keep the time since the search began under a name."""
        self.seconds[name] = time.perf_counter() - self._started
