"""What is to be solved: families of atomic retrievals over a gallery whose answers are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.domain.arrays import BoolArray, Int64Array

CUTOFFS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300)
NOWHERE = -1
"""The bucket of an image that no cutoff of a family reaches."""


@dataclass(frozen=True, eq=False)
class Family:
    """Atomic retrievals that differ in top_k alone: the first images of one ranking.

    `ranking` holds distinct images, best first, at least as many as the largest of `cutoffs`
    where there are as many; `concept` is the unwanted thing that it names, "" for a positive.
    """

    tool: str
    query: str
    ranking: Int64Array
    cutoffs: tuple[int, ...] = CUTOFFS
    concept: str = ""

    def found(self, level: int) -> Int64Array:
        """The images of the retrieval with the `level`-th cutoff (from 0)."""
        return self.ranking[: self.cutoffs[level]]

    def buckets(self, images: int) -> Int64Array:
        """For each image the first cutoff that reaches it, NOWHERE where none does."""
        buckets = np.full(images, NOWHERE, np.int64)
        ranking = self.ranking[: self.cutoffs[-1]]
        buckets[ranking] = np.searchsorted(self.cutoffs, np.arange(len(ranking)), side="right")
        return buckets


@dataclass(frozen=True, eq=False)
class Problem:
    """A gallery of `targets` (images,), which are the ones wanted, and the families over it."""

    targets: BoolArray
    families: tuple[Family, ...]

    @property
    def images(self) -> int:
        """How many images the gallery holds."""
        return len(self.targets)

    @cached_property
    def positives(self) -> tuple[int, ...]:
        """The numbers of the families that name what must be there."""
        return tuple(f for f, family in enumerate(self.families) if not family.concept)

    @cached_property
    def negatives(self) -> dict[str, tuple[int, ...]]:
        """By concept, the numbers of the families that name it."""
        concepts = dict.fromkeys(f.concept for f in self.families if f.concept)
        return {
            concept: tuple(f for f, family in enumerate(self.families) if family.concept == concept)
            for concept in concepts
        }

    @cached_property
    def buckets(self) -> Int64Array:
        """(families, images): the first cutoff of each family that reaches each image."""
        rows = [family.buckets(self.images) for family in self.families]
        return np.stack(rows) if rows else np.empty((0, self.images), np.int64)


@dataclass(frozen=True, slots=True, order=True)
class Chosen:
    """One atomic retrieval: the `level`-th cutoff (from 0) of a family, both by number."""

    family: int
    level: int


def union(problem: Problem, chosen: Sequence[Chosen]) -> BoolArray:
    """The images (images,) that any of the retrievals finds."""
    mask = np.zeros(problem.images, np.bool_)
    for one in chosen:
        mask[problem.families[one.family].found(one.level)] = True
    return mask


def intersection(problem: Problem, chosen: Sequence[Chosen]) -> BoolArray:
    """The images (images,) that every retrieval finds; of none, no image."""
    counts = votes(problem, chosen)
    return np.asarray((counts == len(chosen)) & (counts > 0))


def votes(problem: Problem, chosen: Sequence[Chosen]) -> Int64Array:
    """How many of the retrievals find each image."""
    counts = np.zeros(problem.images, np.int64)
    for one in chosen:
        counts[problem.families[one.family].found(one.level)] += 1
    return counts
