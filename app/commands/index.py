"""`photoapp index DIR…`: take folders of photos into the library."""

import argparse
from collections import Counter

from app.commands.documents import problem_document
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.domain.report import IndexReport

NAME = "index"
HELP = "take every photo below the folders into the library; originals are only read"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the folders."""
    grammar.add_argument("folders", metavar="DIR", nargs="+", type=path_word)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Index and report; exit code 3 where some files could not be taken."""
    with opened_engine(options.library) as engine:
        report = engine.index(options.folders, terminal.progress)
    if terminal.as_json:
        terminal.answer(_document(report))
    else:
        _tell(report, terminal)
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


def _tell(report: IndexReport, terminal: Terminal) -> None:
    if not report.added + report.changed + report.removed + report.unchanged:
        terminal.line("No photos were found there.")
    terminal.line(
        f"{report.added} added, {report.changed} changed, {report.removed} removed, "
        f"{report.unchanged} unchanged; {report.embedded} looked at; "
        f"{report.rate:.1f} photos a second"
    )
    for note in report.notes:
        terminal.line(note)
    for path in report.offline:
        terminal.line(f"offline: {path} is empty or gone; its photos stay in the library")
    if report.problems:
        reasons = Counter(problem.reason.value for problem in report.problems)
        listed = ", ".join(
            f"{count} {reason.replace('_', ' ')}" for reason, count in reasons.most_common()
        )
        terminal.line(f"{len(report.problems)} files are not in the library: {listed}")
        terminal.line("List them with `photoapp problems`, read them again with `--retry` there.")
