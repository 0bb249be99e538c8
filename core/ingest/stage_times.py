"""Wall and processor seconds of each stage of a run."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class StageTimes:
    """Seconds by the name of the stage; processor time counts all threads of this process.

    Processes of the decoder report their own through `spent_elsewhere`.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    cpu_seconds: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of the block for a stage."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            _add(self.seconds, name, time.perf_counter() - wall)
            _add(self.cpu_seconds, name, time.process_time() - cpu)

    def spent_elsewhere(self, name: str, cpu_seconds: float) -> None:
        """Count processor time of another process for a stage."""
        _add(self.cpu_seconds, name, cpu_seconds)

    @property
    def total(self) -> float:
        """Wall seconds since the run began."""
        return time.perf_counter() - self.began


def _add(times: dict[str, float], name: str, seconds: float) -> None:
    times[name] = times.get(name, 0.0) + seconds
