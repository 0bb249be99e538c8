"""`photoapp --benchmark [SUITE…]`: measure by the field's own protocols."""

import argparse
from pathlib import Path

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import count_word, path_word
from app.startup import forbid_hub_connections
from core.benchmark.runner import BenchmarkOptions, compare_reports, run_benchmark

NAME = "benchmark"
HELP = "measure retrieval; also written --benchmark"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the suites and where they read and write."""
    grammar.add_argument("suites", metavar="SUITE", nargs="*", default=[])
    grammar.add_argument("--data", metavar="DIR", type=path_word, help="a suite's data set")
    grammar.add_argument("--out", metavar="DIR", type=path_word, default=Path("out/benchmark"))
    grammar.add_argument("--seed", metavar="N", type=int, nargs="+", default=[0])
    grammar.add_argument(
        "--limit", metavar="N", type=count_word, help="measure on at most N photos"
    )
    grammar.add_argument(
        "--compare",
        metavar=("A", "B"),
        nargs=2,
        type=path_word,
        help="compare two reports' folders",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Run the suites (or compare two reports); exit code 1 below a suite's floors."""
    forbid_hub_connections()
    if options.compare:
        comparison = compare_reports(*options.compare)
        if terminal.as_json:
            terminal.answer(comparison.document())
        else:
            terminal.lines(comparison.markdown())
        return ExitCode.DONE
    settings = BenchmarkOptions(
        data=options.data, out=options.out, seeds=tuple(options.seed), limit=options.limit
    )
    outcome = run_benchmark(options.suites or ["smoke"], settings, terminal.progress)
    if terminal.as_json:
        terminal.answer({"reports": [str(path) for path in outcome.reports]})
    else:
        for path in outcome.reports:
            terminal.lines((path.parent / "report.md").read_text(encoding="utf-8"))
    if outcome.below_floor:
        terminal.say("Below the suite's floors.")
        return ExitCode.KNOWN_ERROR
    return ExitCode.DONE
