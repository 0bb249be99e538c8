"""What an indexing run did, in words."""

from PySide6.QtCore import QCoreApplication

from app.words import count_in_words, photos_in_words
from core.domain.report import IndexReport
from core.ingest.watching.ear import WhyPolled
from core.ingest.watching.watcher import Polled


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


def polled_in_words(polled: Polled) -> tuple[str, str]:
    """That a folder is looked at again and again, and why."""
    name, seconds = polled.root.name or str(polled.root), count_in_words(round(polled.seconds))
    whys = {
        WhyPolled.ASKED: _tr("The settings ask for it."),
        WhyPolled.LIMIT: _tr(
            "The system's limit of watched folders is reached; a higher fs.inotify."
            "max_user_watches lifts it."
        ),
        WhyPolled.NETWORK: _tr("It lies on a network, which does not tell of all changes."),
        WhyPolled.REFUSED: _tr("The system does not tell of changes there."),
    }
    message = _tr("New photos in {0} are looked for every {1} seconds").format(name, seconds)
    return message, whys[polled.why]


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
