"""How much each positive family of a plan counts in the fusion.

A worker's weight is shared among its families in proportion to how far their tools can be trusted;
weights of workers that ask nothing are shared out among those that do. On held-out validation
captions equal shares were worse than the image-text tool alone (12 points of recall@10), because
proxies made of concepts say less than the vectors that they come from; with these shares the fusion
is level with it, and profiles, keywords and places still lift what they name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.query import Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.language.routing import route_intent
from core.search.workers import Worker, worker_of

_TRUST = {"text-concept": 0.1, "bm25": 0.05}
"""Shares of tools that read a photo's proxy, relative to 1 for every other tool."""

_NOTHING = 1e-12
"""Weights that sum to less are none: dividing by them would lose their digits."""


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
    """Each family's weight, sum 1; all equal without worker weights (the `oscar` strategy).

    Keys are step indices: the first step of each family.
    """
    first = _first_of_family(trajectory)
    if weights is None:
        return dict.fromkeys(first, 1.0 / max(len(first), 1))
    workers = {i: worker_of(trajectory.steps[i], understanding) for i in first}
    trust = {i: _TRUST.get(trajectory.steps[i].tool, 1.0) for i in first}
    trusted = {w: sum(trust[i] for i in first if workers[i] is w) for w in workers.values()}
    shares = {i: _weight(w, weights) * trust[i] / trusted[w] for i, w in workers.items()}
    total = sum(shares.values())
    if total <= _NOTHING:
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
