"""HiGHS against brute force, and how it ends early."""

import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.highs import HighsSolver
from core.domain.mip import MipModel, MipStatus
from core.errors import Cancelled, SolverError
from core.progress import Progress


def dense_model(cost, matrix, row_lower, row_upper, upper=1.0, maximise=True) -> MipModel:
    matrix = np.asarray(matrix, np.float64)
    rows, columns = matrix.shape
    return MipModel(
        maximise,
        np.asarray(cost, np.float64),
        np.zeros(columns),
        np.full(columns, float(upper)),
        np.ones(columns, bool),
        np.asarray(row_lower, np.float64),
        np.asarray(row_upper, np.float64),
        np.arange(rows + 1, dtype=np.int64) * columns,
        np.tile(np.arange(columns, dtype=np.int64), rows),
        matrix.ravel(),
    )


def market_split(rows: int = 6, columns: int = 50) -> MipModel:
    """A family of tiny programs that no branch and bound solves in minutes."""
    weights = np.random.default_rng(0).integers(0, 100, (rows, columns))
    half = weights.sum(1) // 2
    matrix = np.hstack([weights, np.eye(rows), -np.eye(rows)])
    cost = np.r_[np.zeros(columns), np.ones(2 * rows)]
    return dense_model(cost, matrix, half, half, upper=1, maximise=False)


@st.composite
def programs(draw):
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(0, 4))
    small = st.integers(-4, 4)
    cost = draw(st.lists(small, min_size=columns, max_size=columns))
    row = st.lists(small, min_size=columns, max_size=columns)
    matrix = np.array(draw(st.lists(row, min_size=rows, max_size=rows))).reshape(rows, columns)
    lower = np.array(draw(st.lists(small, min_size=rows, max_size=rows)), float)
    width = np.array(draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows)), float)
    return dense_model(cost, matrix, lower, lower + width, maximise=draw(st.booleans()))


def best_by_brute_force(model: MipModel) -> float | None:
    columns, rows = model.cost.size, model.row_lower.size
    matrix = model.values.reshape(rows, columns)
    points = np.array(list(itertools.product((0, 1), repeat=columns)), float)
    values = points @ matrix.T
    holds = ((values >= model.row_lower) & (values <= model.row_upper)).all(1)
    if not holds.any():
        return None
    objectives = points[holds] @ model.cost
    return float(objectives.max() if model.maximise else objectives.min())


@settings(max_examples=150, deadline=None)
@given(programs())
def test_agrees_with_brute_force(model):
    solution = HighsSolver().solve(model, Progress(), 30.0)
    expected = best_by_brute_force(model)
    if expected is None:
        assert solution.status is MipStatus.INFEASIBLE
        assert solution.x is None
        return
    assert solution.status is MipStatus.OPTIMAL
    assert solution.objective == expected
    assert solution.gap == 0.0
    assert solution.x is not None
    assert set(solution.x) <= {0.0, 1.0}
    assert float(model.cost @ solution.x) == expected


def test_empty_objective_finds_any_feasible_point():
    solution = HighsSolver().solve(dense_model([0, 0], [[1, 1]], [1], [1]), Progress(), 5.0)
    assert solution.status is MipStatus.OPTIMAL
    assert solution.x is not None
    assert solution.x.sum() == 1


@pytest.mark.parametrize(("bound", "status"), [(0, MipStatus.OPTIMAL), (1, MipStatus.INFEASIBLE)])
def test_program_without_columns(bound, status):
    model = dense_model([], np.empty((1, 0)), [bound], [2])
    assert HighsSolver().solve(model, Progress(), 5.0).status is status


def test_continuous_columns_stay_fractional():
    whole = dense_model([2, 1], [[1, 1]], [0], [1.5])
    linear = MipModel(
        *(getattr(whole, name) if name != "integer" else np.zeros(2, bool) for name in _fields())
    )
    solution = HighsSolver().solve(linear, Progress(), 5.0)
    assert solution.objective == pytest.approx(2.5)
    assert solution.gap == 0.0


def _fields() -> tuple[str, ...]:
    return tuple(MipModel.__dataclass_fields__)


def test_time_limit_keeps_the_best_point():
    solution = HighsSolver().solve(market_split(), Progress(), 0.5)
    assert solution.status in (MipStatus.FEASIBLE, MipStatus.UNKNOWN)
    assert solution.gap > 0


def test_cancelled_before_and_in_the_middle():
    progress = Progress()
    timer = threading.Timer(0.4, progress.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        HighsSolver().solve(market_split(), progress, 250.0)
    with pytest.raises(Cancelled):
        HighsSolver().solve(dense_model([1], [[1]], [0], [1]), progress, 5.0)


def test_unbounded_and_malformed_programs_are_solver_errors():
    with pytest.raises(SolverError, match="Unbounded"):
        HighsSolver().solve(dense_model([1], [[1]], [0], [np.inf], upper=np.inf), Progress(), 5.0)
    with pytest.raises(SolverError, match="not a number"):
        HighsSolver().solve(dense_model([np.nan], [[1]], [0], [1]), Progress(), 5.0)
    with pytest.raises(SolverError, match="fit together"):
        HighsSolver().solve(dense_model([1, 1], [[1]], [0], [1]), Progress(), 5.0)


def test_solves_beside_each_other_in_threads():
    found: list[float] = []
    model = dense_model([3, 2, 1], [[1, 1, 1]], [0], [2])

    def run() -> None:
        found.append(HighsSolver().solve(model, Progress(), 30.0).objective)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [5.0] * 4


def test_is_silent(capfd):
    HighsSolver().solve(dense_model([3, 2], [[1, 1]], [0], [1]), Progress(), 5.0)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == ""
