"""What the formulations of stage 1 take and give."""

from dataclasses import dataclass
from typing import NamedTuple

from core.golden.lexicographic import Budget
from core.golden.problem import Chosen
from core.progress import Progress
from core.protocols import MipSolver


class Values(NamedTuple):
    """Targets covered (more is better), then noise (less), tools (more), retrievals (less)."""

    targets: int
    noise: int
    tools: int
    retrievals: int


@dataclass(frozen=True, slots=True)
class Effort:
    """With what to solve, who may stop it, and until when."""

    solver: MipSolver
    progress: Progress
    budget: Budget

    @property
    def parts(self) -> tuple[MipSolver, Progress, Budget]:
        """All three, in that order."""
        return self.solver, self.progress, self.budget


@dataclass(frozen=True, slots=True)
class Selected:
    """The chosen positives, and whether they are proven best, else the gap."""

    chosen: list[Chosen]
    proven: bool
    gap: float
