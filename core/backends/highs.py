"""Mixed-integer programs solved by HiGHS, passed in one call from arrays, cancellable."""

import time
from typing import Any

import numpy as np

from core.domain.arrays import Float64Array
from core.domain.mip import MipModel, MipSolution, MipStatus
from core.errors import Cancelled, SolverError
from core.progress import Progress

_ADVICE = "Try another strategy, or report this as a bug."
_OPTIONS: dict[str, object] = {
    "output_flag": False,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "threads": 1,  # solves run beside each other in threads of their own, and are repeatable
    "parallel": "off",
}


class HighsSolver:
    """Solves with HiGHS in the calling thread, which releases the GIL; safe across threads."""

    def solve(self, model: MipModel, progress: Progress, time_limit_s: float) -> MipSolution:
        """Solve to a gap of 0 or to the time limit.

        Raises SolverError for a malformed or unbounded program, Cancelled when asked to stop.
        """
        progress.check()
        _check_shapes(model)
        started = time.perf_counter()
        if not model.cost.size:
            return _no_columns(model)
        solver = _prepared(model, progress, time_limit_s)
        try:
            _run(solver, progress)
            return _solution(solver, model, time.perf_counter() - started)
        finally:
            solver.disableCallbacks()  # they hold the solver, which then is never freed


def _check_shapes(model: MipModel) -> None:
    columns, rows = model.cost.size, model.row_lower.size
    entries = int(model.starts[-1]) if model.starts.size else -1
    fits = (
        {model.lower.size, model.upper.size, model.integer.size} == {columns}
        and (model.row_upper.size, model.starts.size) == (rows, rows + 1)
        and entries == model.indices.size == model.values.size
        and bool(np.all((model.indices >= 0) & (model.indices < columns)))
        and bool(np.all(np.diff(model.starts) >= 0))
    )
    if not fits:
        raise SolverError("The program's arrays do not fit together.", _ADVICE)
    numbers = (model.cost, model.lower, model.upper, model.row_lower, model.row_upper, model.values)
    if any(np.isnan(array).any() for array in numbers):
        raise SolverError("The program holds a value that is not a number.", _ADVICE)


def _no_columns(model: MipModel) -> MipSolution:
    feasible = bool(np.all((model.row_lower <= 0) & (model.row_upper >= 0)))
    if not feasible:
        return MipSolution(MipStatus.INFEASIBLE, None, 0.0, 0.0, 0.0)
    return MipSolution(MipStatus.OPTIMAL, np.empty(0), 0.0, 0.0, 0.0)


def _prepared(model: MipModel, progress: Progress, time_limit_s: float) -> Any:
    import highspy  # noqa: PLC0415 - heavy, loaded when a program is first solved

    solver = _quiet(highspy)
    for name, value in _OPTIONS.items():
        solver.setOptionValue(name, value)
    solver.setOptionValue("time_limit", max(float(time_limit_s), 0.0))
    sense = highspy.ObjSense.kMaximize if model.maximise else highspy.ObjSense.kMinimize
    passed = solver.passModel(
        model.cost.size,
        model.row_lower.size,
        model.indices.size,
        int(highspy.MatrixFormat.kRowwise),
        int(sense),
        0.0,
        model.cost,
        model.lower,
        model.upper,
        model.row_lower,
        model.row_upper,
        model.starts.astype(np.int32),
        model.indices.astype(np.int32),
        model.values,
        model.integer.astype(np.int32),
    )
    if passed == highspy.HighsStatus.kError:
        raise SolverError("HiGHS refused the program.", _ADVICE)

    def stop_if_cancelled(event: Any) -> None:
        if progress.cancelled:
            event.interrupt()

    for interrupt in (solver.cbMipInterrupt, solver.cbSimplexInterrupt, solver.cbIpmInterrupt):
        interrupt.subscribe(stop_if_cancelled)
    return solver


def _quiet(highspy: Any) -> Any:
    """A solver that doesn't print its banner, which `Highs()` does while it sets callbacks up."""

    class QuietHighs(highspy.Highs):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return QuietHighs()


def _run(solver: Any, progress: Progress) -> None:
    solver.run()
    if _status(solver) == "kUnboundedOrInfeasible":  # which of the two, presolve doesn't tell
        solver.setOptionValue("presolve", "off")
        solver.run()
    if progress.cancelled:
        raise Cancelled


def _status(solver: Any) -> str:
    return str(solver.getModelStatus().name)


def _solution(solver: Any, model: MipModel, seconds: float) -> MipSolution:
    status, info = _status(solver), solver.getInfo()
    if status == "kInfeasible":
        return MipSolution(MipStatus.INFEASIBLE, None, 0.0, 0.0, seconds)
    if status not in ("kOptimal", "kTimeLimit", "kInterrupt", "kSolutionLimit"):
        raise SolverError(f"HiGHS could not solve the program ({status[1:]}).", _ADVICE)
    if info.primal_solution_status != 2:  # kSolutionStatusFeasible
        return MipSolution(MipStatus.UNKNOWN, None, 0.0, np.inf, seconds)
    x = _rounded(np.array(solver.getSolution().col_value, np.float64), model)
    optimal = status == "kOptimal"
    gap = 0.0 if optimal or not model.integer.any() else float(info.mip_gap)
    kind = MipStatus.OPTIMAL if optimal else MipStatus.FEASIBLE
    return MipSolution(kind, x, float(model.cost @ x), gap, seconds)


def _rounded(x: Float64Array, model: MipModel) -> Float64Array:
    """Integers that are whole: HiGHS gives them within a tolerance."""
    return np.where(model.integer, np.round(x), x) + 0.0  # never minus zero
