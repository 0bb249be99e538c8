"""The answer to a search, with everything that explains it."""

from dataclasses import dataclass
from typing import Literal

from core.domain.photo import PhotoId
from core.domain.query import QueryId, Understanding
from core.domain.trajectory import Trajectory
from core.domain.verdict import Verdict


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One thing that happened on the way: a decision, a fallback, a count."""

    event: str
    detail: str


@dataclass(frozen=True, slots=True)
class RankedPhoto:
    """A photo of the answer: rank from 1, the verdicts, and the steps (indices) that found it.

    An excluded photo stays reachable below the others and says so.
    """

    photo_id: PhotoId
    rank: int
    score: float
    excluded: bool
    verdicts: tuple[Verdict, ...]
    found_by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The nearest photo when nothing matches, and the conditions that it fails."""

    photo_id: PhotoId
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A search's result: ranked photos, the plan that found them, the trace, the seconds spent.

    `stage` is "first" for the fast answer and "final" for the refined one; `found` counts the
    photos of each step; `seconds` maps stage names to seconds, "first" and "final" among them.
    """

    query_id: QueryId
    strategy: str
    stage: Literal["first", "final"]
    understanding: Understanding
    abstained: bool
    results: tuple[RankedPhoto, ...]
    near_miss: NearMiss | None
    trajectory: Trajectory | None
    found: tuple[int, ...]
    trace: tuple[TraceEvent, ...]
    seconds: dict[str, float]
