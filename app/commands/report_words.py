"""What an indexing run did, in words."""

from collections import Counter

from app.commands.terminal import Terminal
from core.domain.report import IndexReport


def tell_report(report: IndexReport, terminal: Terminal) -> None:
    """Say what a run did, in full."""
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
