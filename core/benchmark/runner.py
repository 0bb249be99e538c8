"""Runs suites and writes their reports; compares two of them."""

import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.benchmark.compare import Comparison, compare_folders
from core.benchmark.figures import Figure, Measure, lower_is_better, pooled_figure, pooled_rate
from core.benchmark.hardware import hardware, peak_memory, versions
from core.benchmark.intervals import RESAMPLES, Bootstrap
from core.benchmark.latency import Latency, latencies
from core.benchmark.markdown import report_markdown
from core.benchmark.report import FloorCheck, Report, write_report
from core.benchmark.suites.registry import suite_named
from core.benchmark.suites.suite import Floor, Suite, SuiteResult, SuiteRun
from core.errors import InputError
from core.loaded import Backends
from core.progress import Progress

Keyed = TypeVar("Keyed", Figure, Measure)


@dataclass(frozen=True, slots=True)
class BenchmarkOptions:
    """How suites run: their data, where reports go, the seeds, and at most how many photos."""

    data: Path | None = None
    out: Path = Path("out/benchmark")
    seeds: tuple[int, ...] = (0,)
    limit: int | None = None
    resamples: int = RESAMPLES
    backends: Backends = field(default_factory=Backends)

    @property
    def bootstrap(self) -> Bootstrap:
        """The resampling of every interval; its seed is fixed so that reports can be paired."""
        return Bootstrap(resamples=self.resamples)


@dataclass(frozen=True, slots=True)
class BenchmarkOutcome:
    """The report.json files that were written (report.md lies beside each)."""

    reports: tuple[Path, ...]
    below_floor: bool


def run_benchmark(
    suites: Sequence[str], options: BenchmarkOptions, progress: Progress
) -> BenchmarkOutcome:
    """Run suites under every seed and write a report of each.

    One suite writes into `out` itself, several into folders of their own below it. Raises
    UnknownChoice, InputError, DatasetError, Cancelled; a report that is written is complete.
    """
    chosen = [suite_named(name) for name in dict.fromkeys(suites)]
    if not options.seeds or (options.limit is not None and options.limit < 1):
        raise InputError("A benchmark needs a seed and at least one photo.", "Mend the options.")
    paths, below = [], False
    for suite in chosen:
        folder = options.out if len(chosen) == 1 else options.out / suite.name
        report, measures, pictures = _run_suite(suite, options, progress)
        paths.append(write_report(folder, report, report_markdown(report), measures))
        for name, png in pictures.items():
            (folder / name).write_bytes(png)
        below |= report.below_floor
    return BenchmarkOutcome(tuple(paths), below)


def compare_reports(a: Path, b: Path, bootstrap: Bootstrap | None = None) -> Comparison:
    """Compare two folders of reports; raises DatasetError."""
    return compare_folders(a, b, bootstrap or Bootstrap())


def _run_suite(
    suite: Suite, options: BenchmarkOptions, progress: Progress
) -> tuple[Report, list[Measure], Mapping[str, bytes]]:
    started = time.perf_counter()
    created = datetime.now(UTC).isoformat(timespec="seconds")
    with peak_memory() as memory:
        results = [_run_once(suite, seed, options, progress) for seed in options.seeds]
    figures = _figures(results, options.bootstrap)
    report = Report(
        suite=suite.name,
        seed=options.seeds[0],
        seeds=options.seeds,
        created=created,
        switches={**results[0].switches, "limit": options.limit, "resamples": options.resamples},
        data=results[0].data,
        hardware=hardware(),
        versions=versions(),
        figures=figures,
        latency=tuple(_latencies(results)),
        memory_mb=memory.megabytes,
        seconds=round(time.perf_counter() - started, 3),
        indexing=tuple(result.indexing for result in results if result.indexing is not None),
        floors=tuple(_check(floor, figures) for floor in suite.floors),
        by_seed=_by_seed(results, options),
    )
    return report, _pooled_measures(results, options.seeds), results[0].pictures


def _run_once(
    suite: Suite, seed: int, options: BenchmarkOptions, progress: Progress
) -> SuiteResult:
    with tempfile.TemporaryDirectory(prefix="photoapp-benchmark-") as scratch:
        run = SuiteRun(seed, options.data, options.limit, Path(scratch), options.backends)
        return suite.run(run, progress)


def _figures(results: Sequence[SuiteResult], bootstrap: Bootstrap) -> tuple[Figure, ...]:
    rates = _grouped(figure for result in results for figure in result.rates)
    measures = _grouped(measure for result in results for measure in result.measures)
    return (
        *(pooled_figure(group, bootstrap) for group in measures),
        *(pooled_rate(group) for group in rates),
    )


def _grouped(items: Iterable[Keyed]) -> list[list[Keyed]]:
    groups: dict[tuple[str, str, str, str], list[Keyed]] = {}
    for item in items:
        groups.setdefault(item.key, []).append(item)
    return list(groups.values())


def _latencies(results: Sequence[SuiteResult]) -> list[Latency]:
    strategies = dict.fromkeys(name for result in results for name in result.seconds)
    return [
        latency
        for name in strategies
        for latency in latencies(name, (q for r in results for q in r.seconds.get(name, ())))
    ]


def _by_seed(
    results: Sequence[SuiteResult], options: BenchmarkOptions
) -> dict[str, tuple[Figure, ...]]:
    if len(results) == 1:
        return {}
    return {
        str(seed): _figures([result], options.bootstrap)
        for seed, result in zip(options.seeds, results, strict=True)
    }


def _pooled_measures(results: Sequence[SuiteResult], seeds: Sequence[int]) -> list[Measure]:
    """All seeds' values together; with several seeds a query's id says which one asked it."""
    if len(results) == 1:
        return list(results[0].measures)
    named = [
        _with_seed(measure, seed)
        for result, seed in zip(results, seeds, strict=True)
        for measure in result.measures
    ]
    return [_joined(group) for group in _grouped(named)]


def _with_seed(measure: Measure, seed: int) -> Measure:
    ids = tuple(f"{seed}:{query}" for query in measure.queries.ids)
    return replace(measure, queries=replace(measure.queries, ids=ids))


def _joined(measures: Sequence[Measure]) -> Measure:
    queries = replace(
        measures[0].queries,
        ids=tuple(i for m in measures for i in m.queries.ids),
        clusters=tuple(c for m in measures for c in m.queries.clusters),
    )
    values = np.concatenate([m.values for m in measures])
    return replace(measures[0], queries=queries, values=values)


def _check(floor: Floor, figures: Sequence[Figure]) -> FloorCheck:
    named = (floor.strategy, floor.group, floor.metric)
    values = [f.value for f in figures if (f.strategy, f.group, f.metric) == named]
    if not values:
        return FloorCheck(*named, floor.bound, None, False)
    value = values[0]
    holds = value <= floor.bound if lower_is_better(floor.metric) else value >= floor.bound
    return FloorCheck(*named, floor.bound, value, holds)
