"""What an indexing run did, in words."""

from PySide6.QtCore import QCoreApplication

from app.words import count_in_words, photos_in_words
from core.domain.report import IndexReport


def report_in_words(report: IndexReport) -> tuple[str, str]:
    """What changed, and what the user may want to look at (often nothing)."""
    parts = []
    if report.added:
        parts.append(_tr("{} added").format(photos_in_words(report.added)))
    if report.changed:
        parts.append(_tr("{} changed").format(count_in_words(report.changed)))
    if report.removed:
        parts.append(_tr("{} removed").format(count_in_words(report.removed)))
    if not parts:
        found = report.unchanged or report.problems
        parts.append(_tr("Nothing has changed") if found else _tr("No photos were found there"))
    return ", ".join(parts), " ".join(filter(None, (_unread(report), _offline(report))))


def _unread(report: IndexReport) -> str:
    failed = sum(problem.reason.failed for problem in report.problems)
    if not failed:
        return ""
    if failed == 1:
        return _tr("1 file could not be read; see Problems.")
    return _tr("{} files could not be read; see Problems.").format(count_in_words(failed))


def _offline(report: IndexReport) -> str:
    names = ", ".join(path.name or str(path) for path in report.offline)
    return _tr("Not connected now: {}. Its photos stay in the library.").format(names) * bool(names)


def _tr(text: str) -> str:
    return QCoreApplication.translate("library", text)
