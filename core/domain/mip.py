"""Mixed-integer programs as arrays, and their solutions."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.arrays import BoolArray, Float64Array, Int64Array


@dataclass(frozen=True, slots=True)
class MipModel:
    """max/min cᵀx s.t. row_lower ≤ A x ≤ row_upper, lower ≤ x ≤ upper, x integer where said.

    A has shape (rows, columns) in compressed row form: `starts` (rows + 1), `indices`,
    `values`.
    """

    maximise: bool
    cost: Float64Array
    lower: Float64Array
    upper: Float64Array
    integer: BoolArray
    row_lower: Float64Array
    row_upper: Float64Array
    starts: Int64Array
    indices: Int64Array
    values: Float64Array


class MipStatus(StrEnum):
    """How a solve ended."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MipSolution:
    """The best point found (None without one), its objective, the relative gap and seconds."""

    status: MipStatus
    x: Float64Array | None
    objective: float
    gap: float
    seconds: float
