"""Compares two reports query by query."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from core.benchmark.figures import Figure, Measure, lower_is_better, statistic_of
from core.benchmark.intervals import Bootstrap, point
from core.benchmark.markdown import number, table
from core.benchmark.report import REPORT, SavedReport, read_report
from core.domain.arrays import Int64Array
from core.errors import DatasetError

_COMPARABLE = ("switches", "data", "hardware", "versions", "seeds")


@dataclass(frozen=True, slots=True)
class Difference:
    """A − B of one figure over the n queries that both asked, with its 95 % interval.

    `above_zero` is the share of resamples in which A − B > 0. They and the interval are None
    for a figure without queries, such as a rate.
    """

    suite: str
    strategy: str
    split: str
    group: str
    metric: str
    a: float
    b: float
    difference: float
    low: float | None
    high: float | None
    above_zero: float | None
    n: int

    @property
    def better(self) -> str:
        """ "A" or "B" where the interval leaves zero out, else an empty string."""
        if self.low is None or self.high is None or self.low <= 0.0 <= self.high:
            return ""
        return "A" if (self.difference > 0) != lower_is_better(self.metric) else "B"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports' differences, and what else differs between them."""

    a: Path
    b: Path
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """As JSON values."""
        rows = [asdict(d) | {"better": d.better} for d in self.differences]
        return {
            "schema": 1,
            "a": str(self.a),
            "b": str(self.b),
            "differences": rows,
            "notes": list(self.notes),
        }

    def markdown(self) -> str:
        """As a person reads it."""
        header = ("suite", "strategy", "split", "group", "metric", "A", "B", "A − B")
        more = ("95 % interval", "resamples above 0", "better", "n")
        parts = [
            "# Comparison",
            f"A: {self.a}  \nB: {self.b}",
            "Shares in %; intervals from a paired bootstrap over the queries that both asked.",
            table((*header, *more), [_row(d) for d in self.differences]),
        ]
        if self.notes:
            parts += ["## Not alike", "\n".join(f"- {note}" for note in self.notes)]
        return "\n\n".join(parts) + "\n"


def compare_folders(a: Path, b: Path, bootstrap: Bootstrap) -> Comparison:
    """Compare the reports in two folders, suite by suite.

    Raises DatasetError where a report is missing or malformed, or they share no figure.
    """
    ours, theirs = _reports(a), _reports(b)
    shared = [suite for suite in ours if suite in theirs]
    differences: list[Difference] = []
    notes = [f"Suite {suite} is in one of them alone." for suite in ours.keys() ^ theirs.keys()]
    for suite in shared:
        differences += _differences(ours[suite], theirs[suite], bootstrap)
        notes += _notes(ours[suite], theirs[suite])
    if not differences:
        raise DatasetError(
            f"{a} and {b} have no figure in common.",
            "Compare two reports of the same suite and data.",
        )
    return Comparison(a, b, tuple(differences), tuple(notes))


def _reports(folder: Path) -> dict[str, SavedReport]:
    """A folder's own report, or those one level below, by suite."""
    folders = [folder]
    if not (folder / REPORT).exists():
        folders = sorted(path.parent for path in folder.glob(f"*/{REPORT}")) or [folder]
    return {report.suite: report for report in map(read_report, folders)}


def _differences(a: SavedReport, b: SavedReport, bootstrap: Bootstrap) -> Iterator[Difference]:
    measures = {measure.key: measure for measure in b.measures}
    for ours in a.measures:
        theirs = measures.get(ours.key)
        if theirs is not None:
            yield from _paired(a.suite, ours, theirs, bootstrap)
    queried = {measure.key for measure in a.measures}
    figures = {figure.key: figure for figure in b.figures}
    for figure in a.figures:
        other = figures.get(figure.key)
        if other is not None and figure.key not in queried:
            yield _unpaired(a.suite, figure, other)


def _paired(
    suite: str, ours: Measure, theirs: Measure, bootstrap: Bootstrap
) -> Iterator[Difference]:
    mine, other = _shared(ours.queries.ids, theirs.queries.ids)
    if not len(mine):
        return
    clusters = [ours.queries.clusters[i] for i in mine]
    a, b = ours.values[mine], theirs.values[other]
    statistic = statistic_of(ours.metric)
    value_a, value_b = point(a, statistic), point(b, statistic)
    figures_a, figures_b = (bootstrap.figures(v, statistic, clusters) for v in (a, b))
    low, high = bootstrap.percentiles(figures_a - figures_b)
    above = float((figures_a > figures_b).mean())
    difference = value_a - value_b
    yield Difference(suite, *ours.key, value_a, value_b, difference, low, high, above, len(a))


def _shared(a: Sequence[str], b: Sequence[str]) -> tuple[Int64Array, Int64Array]:
    """Positions of the queries that both have, in A's order."""
    positions = {query: i for i, query in enumerate(b)}
    pairs = [(i, positions[query]) for i, query in enumerate(a) if query in positions]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _unpaired(suite: str, a: Figure, b: Figure) -> Difference:
    difference = a.value - b.value
    return Difference(suite, *a.key, a.value, b.value, difference, None, None, None, min(a.n, b.n))


def _notes(a: SavedReport, b: SavedReport) -> Iterator[str]:
    for part in _COMPARABLE:
        one, other = a.document.get(part), b.document.get(part)
        if one == other:
            continue
        if not isinstance(one, dict) or not isinstance(other, dict):
            yield f"{a.suite}: {part}: {one} against {other}."
            continue
        for name in dict.fromkeys([*one, *other]):
            if one.get(name) != other.get(name):
                yield f"{a.suite}: {part}: {name}: {one.get(name)} against {other.get(name)}."


def _row(d: Difference) -> list[str]:
    def told(value: float | None) -> str:
        return "" if value is None else number(d.metric, value)

    interval = "" if d.low is None else f"{told(d.low)} to {told(d.high)}"
    above = "" if d.above_zero is None else f"{100 * d.above_zero:.1f} %"
    values = [told(d.a), told(d.b), told(d.difference)]
    names = [d.suite, d.strategy, d.split, d.group, d.metric]
    return [*names, *values, interval, above, d.better, str(d.n)]
