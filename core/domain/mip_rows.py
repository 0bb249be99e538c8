"""Builds the rows of a mixed-integer program of binaries, sparse, one constraint at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from core.domain.arrays import BoolArray, Float64Array
from core.domain.mip import MipModel


@dataclass(slots=True)
class Rows:
    """Constraints lower ≤ Σ coefficient · x ≤ upper, as they are added."""

    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def add(self, terms: Iterable[tuple[int, float]], lower: float, upper: float) -> None:
        """Add one constraint over (column, coefficient) terms; columns are distinct."""
        for column, value in terms:
            self.indices.append(column)
            self.values.append(value)
        self.starts.append(len(self.indices))
        self.lower.append(lower)
        self.upper.append(upper)

    def add_sum(self, columns: Iterable[int], lower: float, upper: float) -> None:
        """Add one constraint with every coefficient 1."""
        self.add(((column, 1.0) for column in columns), lower, upper)

    def maximise(self, cost: Float64Array, integer: BoolArray | None = None) -> MipModel:
        """The program: maximise cost · x under the rows added so far, 0 ≤ x ≤ 1.

        All x are binaries where `integer` is None.
        """
        columns = len(cost)
        return MipModel(
            True,
            np.asarray(cost, np.float64),
            np.zeros(columns),
            np.ones(columns),
            np.ones(columns, np.bool_) if integer is None else integer,
            np.array(self.lower, np.float64),
            np.array(self.upper, np.float64),
            np.array(self.starts, np.int64),
            np.array(self.indices, np.int64),
            np.array(self.values, np.float64),
        )
