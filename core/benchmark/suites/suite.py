"""What a suite is: a named run that turns a seed (and data) into per-query values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.benchmark.figures import Figure, Measure
from core.benchmark.indexing import IndexingCost
from core.loaded import Backends
from core.progress import Progress

Switch = str | int | float | bool | None
StageSeconds = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One run of a suite: its seed, data (where the suite needs any) and a folder to work in."""

    seed: int
    data: Path | None
    limit: int | None
    scratch: Path
    backends: Backends


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What one run found.

    `seconds` holds, a strategy, the stages' seconds of queries asked one by one; `rates` are
    figures that come from no queries; `pictures` PNG files by name, written beside the report.
    """

    switches: Mapping[str, Switch]
    data: Mapping[str, Switch]
    measures: tuple[Measure, ...]
    rates: tuple[Figure, ...]
    seconds: Mapping[str, Sequence[StageSeconds]]
    indexing: IndexingCost | None
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Floor:
    """A figure that must not be worse than its bound (a ceiling where lower is better)."""

    strategy: str
    group: str
    metric: str
    bound: float


class Suite(Protocol):
    """A benchmark that can be run by name."""

    @property
    def name(self) -> str:
        """The word that chooses it."""

    @property
    def about(self) -> str:
        """One line on what it measures."""

    @property
    def floors(self) -> tuple[Floor, ...]:
        """What its figures must reach."""

    def run(self, run: SuiteRun, progress: Progress) -> SuiteResult:
        """Run once; raises DatasetError where data are missing or malformed, Cancelled."""
