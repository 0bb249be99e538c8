"""`photoapp index DIR…`: take folders of photos into the library."""

import argparse

from app.commands.documents import problem_document
from app.commands.outcome import ExitCode
from app.commands.report_words import tell_report
from app.commands.terminal import Terminal
from app.commands.watch import watch
from app.commands.words import path_word
from app.startup import opened_engine
from core.domain.report import IndexReport

NAME = "index"
HELP = "take every photo below the folders into the library; originals are only read"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the folders."""
    grammar.add_argument("folders", metavar="DIR", nargs="+", type=path_word)
    grammar.add_argument(
        "--watch",
        action="store_true",
        help="go on and take what comes, changes or goes, until Ctrl-C",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Index and report; exit code 3 where some files could not be taken."""
    if options.watch:
        watch(options, terminal)
    with opened_engine(options.library) as engine:
        report = engine.index(options.folders, terminal.progress)
    if terminal.as_json:
        terminal.answer(_document(report))
    else:
        tell_report(report, terminal)
    return ExitCode.DONE_WITH_PROBLEMS if report.problems or report.offline else ExitCode.DONE


def _document(report: IndexReport) -> dict[str, object]:
    return {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "embedded": report.embedded,
        "offline": [str(path) for path in report.offline],
        "notes": list(report.notes),
        "failed": [problem_document(p) for p in report.problems if p.reason.failed],
        "skipped": [
            {"path": str(p.path), "reason": p.reason.value}
            for p in report.problems
            if not p.reason.failed
        ],
        "seconds": report.seconds,
        "cpu_seconds": report.cpu_seconds,
        "rate": report.rate,
    }
