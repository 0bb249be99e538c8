"""How much each positive family of a plan counts in the fusion.

A worker's weight is shared equally among its families; weights of workers that ask nothing are
shared out among those that do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.query import Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.language.routing import route_intent
from core.search.workers import Worker, worker_of

Family = tuple[str, str]


@dataclass(frozen=True, slots=True)
class WorkerWeights:
    """A weight for each worker, ≥ 0, and why."""

    of: Mapping[Worker, float]
    reason: str


def routed(text: str, has_reference: bool) -> WorkerWeights:
    """Weights by the intent of the modification text."""
    intent = route_intent(text, has_reference)
    return WorkerWeights(
        {
            Worker.IMAGINE: intent.imagine,
            Worker.CONSTRAIN: intent.constrain,
            Worker.ANCHOR: intent.anchor,
        },
        intent.reason,
    )


def family_weights(
    trajectory: Trajectory, understanding: Understanding, weights: WorkerWeights | None
) -> dict[int, float]:
    """The weight of each positive step that stands for its family, sum 1; equal without weights.

    Keys are step indices: the first step of each family.
    """
    first = _first_of_family(trajectory)
    if weights is None:
        return dict.fromkeys(first, 1.0 / max(len(first), 1))
    workers = {i: worker_of(trajectory.steps[i], understanding) for i in first}
    counts = {w: list(workers.values()).count(w) for w in workers.values()}
    shares = {i: _weight(w, weights) / counts[w] for i, w in workers.items()}
    total = sum(shares.values())
    if total <= 0.0:
        return dict.fromkeys(first, 1.0 / max(len(first), 1))
    return {i: share / total for i, share in shares.items()}


def _weight(worker: Worker | None, weights: WorkerWeights) -> float:
    """Filters alone count as much as everything else together: they have no rival."""
    return weights.of.get(worker, 1.0) if worker is not None else 0.0


def _first_of_family(trajectory: Trajectory) -> list[int]:
    seen: dict[tuple[str, str], int] = {}
    for index in trajectory.positives:
        step: AtomicRetrieval = trajectory.steps[index]
        seen.setdefault((step.tool, step.query), index)
    return list(seen.values())
