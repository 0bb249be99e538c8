"""A report as a person reads it."""

from collections.abc import Iterable, Mapping, Sequence

from core.benchmark.figures import Figure
from core.benchmark.report import FloorCheck, Report

_SHARES = ("r@", "map@", "ndcg@", "violations@", "precision", "recall", "f1", "exact_match")


def report_markdown(report: Report) -> str:
    """The whole report in Markdown: figures with intervals, switches, speed, versions, machine."""
    seeds = ", ".join(str(seed) for seed in report.seeds)
    parts = [
        f"# Benchmark: {report.suite}",
        f"Seed {seeds}; {report.created}; {report.seconds:.1f} s; "
        f"peak memory {report.memory_mb:.0f} MB.",
        "## Figures",
        "Shares in %, with 95 % bootstrap intervals over queries.",
        _figures(report.figures),
        *_floors(report.floors),
        *_indexing(report),
        *_latency(report),
        "## Switches",
        table(("switch", "value"), _pairs(report.switches)),
        "## Data",
        table(("what", "value"), _pairs(report.data)),
        "## Machine",
        table(("what", "value"), _machine(report)),
    ]
    return "\n\n".join(parts) + "\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; cells are escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |"
        for line in lines
    )


def number(metric: str, value: float) -> str:
    """A figure as people read it: shares in %."""
    if metric.startswith(_SHARES):
        return f"{100 * value:.1f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def _figures(figures: Sequence[Figure]) -> str:
    seeded = any(figure.spread is not None for figure in figures)
    header = ["strategy", "split", "group", "metric", "value", "95 % interval", "n"]
    rows = []
    for f in figures:
        interval = f"{number(f.metric, f.low)} to {number(f.metric, f.high)}"
        row = [f.strategy, f.split, f.group, f.metric, number(f.metric, f.value), interval]
        spread = [] if f.spread is None else [number(f.metric, f.spread)]
        rows.append([*row, str(f.n), *(spread if seeded else [])])
    return table([*header, *(["spread over seeds"] if seeded else [])], rows)


def _floors(floors: Sequence[FloorCheck]) -> list[str]:
    if not floors:
        return []
    rows = [
        (
            f"{f.strategy} {f.group} {f.metric}",
            number(f.metric, f.bound),
            "missing" if f.value is None else number(f.metric, f.value),
            "holds" if f.holds else "**below**",
        )
        for f in floors
    ]
    return ["## Floors", table(("figure", "bound", "value", "state"), rows)]


def _indexing(report: Report) -> list[str]:
    parts = []
    for cost in report.indexing:
        stages = dict.fromkeys([*cost.seconds, *cost.cpu_seconds])
        rows = [
            (stage, _seconds(cost.seconds.get(stage)), _seconds(cost.cpu_seconds.get(stage)))
            for stage in stages
        ]
        said = (
            f"{cost.photos} photos at {cost.rate:.1f} a second on {cost.cores} cores; with every "
            f"core busy it would be {cost.ceiling:.1f}: ratio {cost.ratio:.2f}."
        )
        parts += ["## Indexing", said, table(("stage", "seconds", "CPU seconds"), rows)]
    return parts


def _latency(report: Report) -> list[str]:
    if not report.latency:
        return []
    rows = [
        (row.strategy, row.stage, f"{1000 * row.p50:.1f}", f"{1000 * row.p95:.1f}", str(row.n))
        for row in report.latency
    ]
    header = ("strategy", "stage", "p50 ms", "p95 ms", "n")
    return ["## Latency of single queries", table(header, rows)]


def _machine(report: Report) -> list[tuple[str, str]]:
    machine = report.hardware
    told = [
        ("processor", machine.cpu),
        ("cores", str(machine.cores)),
        ("memory", f"{machine.memory_mb} MB"),
        ("system", machine.system),
    ]
    return told + list(report.versions.items())


def _pairs(values: Mapping[str, object]) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in values.items()]


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
