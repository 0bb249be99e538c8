"""Ordered binaries of families: s_{F,1} ≥ s_{F,2} ≥ …, "the cutoff is at least the k-th".

Of each family only some cutoffs count; an image needs one entry a family, at the first of those
that reaches it. Images with the same entries are one, counted as often as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.domain.mip_rows import Rows
from core.golden.problem import NOWHERE, Chosen, Problem


@dataclass(frozen=True, eq=False)
class Levels:
    """The binaries of some families: `kept[n]` are the cutoffs of the n-th, `first[n]` its column.

    The columns of one family follow each other.
    """

    families: tuple[int, ...]
    kept: tuple[Int64Array, ...]
    first: tuple[int, ...]

    @classmethod
    def of(cls, families: tuple[int, ...], kept: list[Int64Array], start: int = 0) -> "Levels":
        """Columns from `start` on for the cutoffs kept of each family."""
        sizes = np.cumsum([0, *map(len, kept)]) + start
        return cls(families, tuple(kept), tuple(sizes[:-1].tolist()))

    @property
    def count(self) -> int:
        """How many columns there are."""
        return sum(map(len, self.kept))

    @property
    def used(self) -> list[int]:
        """The first column of each family that has one: that it is used at all."""
        return [first for first, kept in zip(self.first, self.kept, strict=True) if len(kept)]

    def entries(self, problem: Problem) -> Int64Array:
        """(families, images): the column that finds each image, NOWHERE where none does."""
        rows = np.full((len(self.families), problem.images), NOWHERE, np.int64)
        for n, (family, kept, first) in enumerate(
            zip(self.families, self.kept, self.first, strict=True)
        ):
            bucket = problem.buckets[family]
            place = np.searchsorted(kept, bucket)
            found = (bucket != NOWHERE) & (place < len(kept))
            rows[n, found] = first + place[found]
        return rows

    def add_order(self, rows: Rows) -> None:
        """Add s_{F,k} ≥ s_{F,k+1}."""
        for first, kept in zip(self.first, self.kept, strict=True):
            for column in range(first, first + len(kept) - 1):
                rows.add([(column, 1.0), (column + 1, -1.0)], 0.0, np.inf)

    def chosen(self, x: Float64Array) -> Iterator[Chosen]:
        """The retrievals that a solution chooses."""
        for family, kept, first in zip(self.families, self.kept, self.first, strict=True):
            size = int(np.count_nonzero(x[first : first + len(kept)] > 0.5))
            if size:
                yield Chosen(family, int(kept[size - 1]))

    def point(self, chosen: list[Chosen], columns: int) -> Float64Array:
        """The binaries (columns,) that choose these retrievals, or the next larger ones kept."""
        x = np.zeros(columns)
        places = {family: n for n, family in enumerate(self.families)}
        for one in chosen:
            n = places[one.family]
            size = int(np.searchsorted(self.kept[n], one.level)) + 1
            x[self.first[n] : self.first[n] + min(size, len(self.kept[n]))] = 1
        return x


def useful_cutoffs(problem: Problem) -> list[Int64Array]:
    """Of each positive family the cutoffs that add a target to the one before."""
    buckets = problem.buckets[list(problem.positives)][:, problem.targets]
    return [np.unique(row[row != NOWHERE]) for row in buckets]


def merged(entries: Int64Array) -> tuple[list[Int64Array], Int64Array]:
    """Distinct columns of (families, images) entries that find an image at all, each as the list
    of its binaries, and how many images have them."""
    if not entries.size:
        return [], np.empty(0, np.int64)
    found = entries[:, (entries != NOWHERE).any(axis=0)]
    if not found.size:
        return [], np.empty(0, np.int64)
    distinct, counts = np.unique(found, axis=1, return_counts=True)
    return [column[column != NOWHERE] for column in distinct.T], counts
