"""Photos that are one session, on the way to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.place import GeoPoint
from core.domain.session import Split
from core.ingest.sessions.runs import Moment, Run


@dataclass(frozen=True, slots=True)
class Piece:
    """The photos of a session in order, and what began it."""

    moments: tuple[Moment, ...]
    split: Split

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Piece":
        """Runs (in order) that belong together."""
        if len(runs) == 1:
            return cls(runs[0].moments, runs[0].split)
        moments = sorted((m for run in runs for m in run.moments), key=lambda m: m.order)
        return cls(tuple(moments), runs[0].split)

    @property
    def start(self) -> float:
        """The first photo's time."""
        return self.moments[0].at

    @property
    def end(self) -> float:
        """The last photo's time."""
        return self.moments[-1].at

    @property
    def order(self) -> tuple[float, str]:
        """The order of its first photo."""
        return self.moments[0].order

    @property
    def points(self) -> list[GeoPoint]:
        """Where its photos were taken, as far as that is known."""
        return [m.entry.point for m in self.moments if m.entry.point is not None]

    @property
    def is_weak(self) -> bool:
        """Whether only file times date it."""
        return all(moment.is_weak for moment in self.moments)
