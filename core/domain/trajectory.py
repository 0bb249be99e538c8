"""The plan of a search: which atomic retrievals to run and how their sets combine."""

from dataclasses import dataclass

from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The set that one step of the trajectory finds."""

    step: int


@dataclass(frozen=True, slots=True)
class Union:
    """All photos that any part holds."""

    parts: "tuple[SetExpression, ...]"


@dataclass(frozen=True, slots=True)
class Intersection:
    """The photos that every part holds; of no parts, the empty set."""

    parts: "tuple[SetExpression, ...]"


@dataclass(frozen=True, slots=True)
class Difference:
    """The photos of `kept` that `removed` does not hold."""

    kept: "SetExpression"
    removed: "SetExpression"


SetExpression = Retrieved | Union | Intersection | Difference


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Steps and their composition: the union of the positives minus, for each excluded
    concept, the intersection of its negatives.
    """

    steps: tuple[AtomicRetrieval, ...]
    planner: str

    @property
    def positives(self) -> tuple[int, ...]:
        """Indices of the positive steps."""
        return self._indices(Polarity.POSITIVE)

    @property
    def negatives(self) -> tuple[int, ...]:
        """Indices of the negative steps."""
        return self._indices(Polarity.NEGATIVE)

    def _indices(self, polarity: Polarity) -> tuple[int, ...]:
        return tuple(i for i, step in enumerate(self.steps) if step.polarity is polarity)

    @property
    def composition(self) -> SetExpression:
        """∪ positives − ∪_concepts ∩ negatives of that concept."""
        kept = Union(tuple(Retrieved(i) for i in self.positives))
        concepts = dict.fromkeys(self.steps[i].concept for i in self.negatives)
        if not concepts:
            return kept
        removed = Union(
            tuple(
                Intersection(
                    tuple(Retrieved(i) for i in self.negatives if self.steps[i].concept == concept)
                )
                for concept in concepts
            )
        )
        return Difference(kept, removed)
