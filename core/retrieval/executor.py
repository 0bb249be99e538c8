"""Runs a trajectory: each family is ranked once, sliced into sets, and the sets are composed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from core.domain.arrays import Int64Array
from core.domain.photo import PhotoId
from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval, Ranking
from core.domain.trajectory import Trajectory
from core.errors import UnknownChoice
from core.progress import Progress
from core.retrieval.algebra import PhotoSet, evaluate
from core.retrieval.gallery import Gallery
from core.retrieval.presence import presence_of
from core.retrieval.reference import Reference
from core.retrieval.tools.protocol import RetrievalTool, nothing

FUSION_DEPTH = 1000
"""Positive families are ranked at least so deep: fusion reads beyond the sets' cutoffs."""
_EMPTY: PhotoSet = frozenset()


class Cut(StrEnum):
    """How a step's set was cut from its ranking."""

    SIZE = "size"
    PRESENCE = "presence"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step: the ranking of its family, the set cut from it, and how it was cut."""

    ranking: Ranking
    found: PhotoSet
    cut: Cut


@dataclass(frozen=True, slots=True)
class Execution:
    """A trajectory that was run: its steps' results, U = `candidates`, and the final set."""

    trajectory: Trajectory
    steps: tuple[StepResult, ...]
    candidates: PhotoSet
    kept: PhotoSet


@dataclass(slots=True)
class Executor:
    """Runs trajectories over one gallery for one reference; rankings are shared between runs.

    `within` is what hard filters leave, None for the whole gallery.
    """

    gallery: Gallery
    tools: Mapping[str, RetrievalTool]
    reference: Reference | None = None
    within: Int64Array | None = None
    _ranked: dict[tuple[str, str], tuple[int, Ranking]] = field(default_factory=dict)

    def run(self, trajectory: Trajectory, progress: Progress) -> Execution:
        """Rank, cut and compose; raises UnknownChoice for a tool that does not exist, Cancelled.

        Negative steps rank within the candidates and are cut by calibrated presence where their
        tool has it, top_k being their largest size. A negative whose concept can exclude nothing
        any more is skipped.
        """
        self._check(trajectory)
        results: dict[int, StepResult] = {}
        order = (*trajectory.positives, *trajectory.negatives)
        candidates = _EMPTY
        for index in progress.track("retrieve", order, total=len(order)):
            step = trajectory.steps[index]
            if step.polarity is Polarity.POSITIVE:
                results[index] = self._positive(step)
                candidates |= results[index].found
            elif candidates and not _exhausted(step.concept, trajectory, results):
                results[index] = self._negative(step, candidates)
            else:
                results[index] = StepResult(nothing(step.tool), _EMPTY, Cut.SKIPPED)
        steps = tuple(results[index] for index in range(len(trajectory.steps)))
        kept = evaluate(trajectory.composition, [step.found for step in steps])
        return Execution(trajectory, steps, candidates, kept)

    def _check(self, trajectory: Trajectory) -> None:
        unknown = sorted({step.tool for step in trajectory.steps} - set(self.tools))
        if unknown:
            raise UnknownChoice(
                f"There is no retrieval tool {unknown[0]!r}.",
                f"Choose one of {', '.join(sorted(self.tools))}.",
            )

    def _positive(self, step: AtomicRetrieval) -> StepResult:
        depth = max(step.top_k, FUSION_DEPTH)
        known = self._ranked.get((step.tool, step.query))
        if known is None or known[0] < depth:
            tool = self.tools[step.tool]
            known = depth, tool.rank(step.query, self.reference, self.within, depth)
            self._ranked[(step.tool, step.query)] = known
        return StepResult(known[1], frozenset(known[1].first(step.top_k)), Cut.SIZE)

    def _negative(self, step: AtomicRetrieval, candidates: PhotoSet) -> StepResult:
        tool = self.tools[step.tool]
        within = np.array(sorted(candidates), np.int64)
        if not tool.calibrated:
            ranking = tool.rank(step.query, self.reference, within, step.top_k)
            return StepResult(ranking, frozenset(ranking.photo_ids), Cut.SIZE)
        ranking = tool.rank(step.query, self.reference, within, len(within))
        shown = self._showing(step.appearances or (step.query,), within)
        found = [i for i in ranking.photo_ids if i in shown][: step.top_k]
        return StepResult(ranking, frozenset(found), Cut.PRESENCE)

    def _showing(self, phrases: Sequence[str], within: Int64Array) -> set[PhotoId]:
        """The photos that surely show what any of the phrases names."""
        presence = self.gallery.perception.presence
        probabilities = presence_of(presence, phrases, self.gallery.vectors(within))
        surely = within[probabilities >= presence.exclude_above]
        return {PhotoId(i) for i in surely.tolist()}


def _exhausted(concept: str, trajectory: Trajectory, results: Mapping[int, StepResult]) -> bool:
    """Whether the negatives of a concept that ran share no photo already."""
    ran = [
        results[i].found
        for i in trajectory.negatives
        if i in results and trajectory.steps[i].concept == concept
    ]
    return bool(ran) and not frozenset.intersection(*ran)
