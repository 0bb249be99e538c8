"""Set algebra of a trajectory: its composition is a value, evaluated over the steps' sets."""

from collections.abc import Sequence

from core.domain.photo import PhotoId
from core.domain.trajectory import (
    Difference,
    Intersection,
    Retrieved,
    SetExpression,
    Union,
)

PhotoSet = frozenset[PhotoId]


def evaluate(expression: SetExpression, found: Sequence[PhotoSet]) -> PhotoSet:
    """The photos that an expression denotes, `found` being the set of each step.

    A union or an intersection of no parts is empty, so that a concept without negatives, or whose
    negatives share nothing, excludes nothing.
    """
    match expression:
        case Retrieved(step):
            return found[step]
        case Union(parts):
            return frozenset().union(*(evaluate(part, found) for part in parts))
        case Intersection(parts):
            sets = [evaluate(part, found) for part in parts]
            return frozenset.intersection(*sets) if sets else frozenset()
        case Difference(whole, removed):
            return evaluate(whole, found) - evaluate(removed, found)
