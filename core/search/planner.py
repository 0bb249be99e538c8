"""Plans a search: an understanding becomes a trajectory."""

from dataclasses import dataclass
from typing import Protocol

from core.domain.query import Polarity, Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.language.appearances import appearances
from core.search.workers import constrain_queries, names_something


@dataclass(frozen=True, slots=True)
class PlanBrief:
    """What a planner is told: what the query means, what there is, and how wide to look.

    `gallery_size` counts the photos that hard filters leave. `further` are tools that serve as
    the image-text tool does, over the vectors of further encoders.
    """

    understanding: Understanding
    has_reference: bool
    top_k: int
    gallery_size: int
    further: tuple[str, ...] = ()


class Planner(Protocol):
    """Makes a trajectory that has at least one positive step."""

    @property
    def name(self) -> str:
        """What the trace calls it."""

    def plan(self, brief: PlanBrief) -> Trajectory:
        """The trajectory of a query."""


@dataclass(frozen=True, slots=True)
class DefaultPlanner:
    """Every worker's queries on the tools that serve them; one negative a concept.

    A query without anything positive (only exclusions, dates or places) starts from all photos.
    """

    name: str = "default"

    def plan(self, brief: PlanBrief) -> Trajectory:
        """Imagine, constrain, anchor, then the exclusions."""
        positives = _imagine(brief) + _constrain(brief) + _anchor(brief)
        if not positives:
            positives = [_positive("metadata", "", max(brief.gallery_size, 1))]
        return Trajectory((*positives, *_negatives(brief)), self.name)


def _imagine(brief: PlanBrief) -> list[AtomicRetrieval]:
    target = brief.understanding.target
    if not names_something(brief.understanding):
        return []
    tools = ("image-text", *brief.further, "text-concept", "bm25")
    return [_positive(tool, target, brief.top_k) for tool in tools]


def _constrain(brief: PlanBrief) -> list[AtomicRetrieval]:
    queries = constrain_queries(brief.understanding)
    tools = ("image-text", *brief.further)
    return [_positive(tool, query, brief.top_k) for query in queries for tool in tools]


def _anchor(brief: PlanBrief) -> list[AtomicRetrieval]:
    return [_positive("visual", "", brief.top_k)] if brief.has_reference else []


def _negatives(brief: PlanBrief) -> list[AtomicRetrieval]:
    largest = max(brief.gallery_size, 1)
    concepts = dict.fromkeys(c.text.strip() for c in brief.understanding.excluded)
    return [
        AtomicRetrieval(
            "image-text", concept, Polarity.NEGATIVE, largest, concept, appearances(concept)
        )
        for concept in concepts
        if concept
    ]


def _positive(tool: str, query: str, top_k: int) -> AtomicRetrieval:
    return AtomicRetrieval(tool, query, Polarity.POSITIVE, top_k)
