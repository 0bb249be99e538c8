"""What left the library, in words."""

from PySide6.QtCore import QCoreApplication

from app.commands.decision_words import decision_text
from app.words import count_in_words, photos_in_words
from core.domain.decision import Decision
from core.export.copies import ExportReport
from core.export.sidecars import SidecarReport
from core.export.trash import Trashing, TrashReport

_MOST = 3


def export_in_words(report: ExportReport) -> tuple[str, str]:
    """What was copied, and what the user should know of the copies."""
    copied = len(report.copies)
    message = _tr("{} copied").format(photos_in_words(copied)) if copied else _tr("Nothing copied")
    told = [f"{failed.source.name}: {failed.reason}" for failed in report.failed]
    notes: dict[str, int] = {}
    for copy in report.copies:
        if copy.note:
            notes[copy.note] = notes.get(copy.note, 0) + 1
    told += [f"{photos_in_words(count)}: {note}" for note, count in notes.items()]
    return message, _listed(told)


def sidecars_in_words(report: SidecarReport) -> tuple[str, str]:
    """What was written, and what was not."""
    parts = []
    if report.written:
        parts.append(_tr("{} written").format(_sidecars(len(report.written))))
    if report.unchanged:
        parts.append(_tr("{} said all that already").format(_sidecars(report.unchanged)))
    told = [f"{failed.source.name}: {failed.reason}" for failed in report.failed]
    return ", ".join(parts) or _tr("No sidecar was written"), _listed(told)


def trashing_in_words(asked: Trashing) -> tuple[str, str]:
    """The question before files go to the trash."""
    title = _tr("Move {} to the trash?").format(photos_in_words(len(asked.photos)))
    others = len(asked.files) - len(asked.photos)
    names = ", ".join(path.name for path in asked.files[:_MOST])
    if len(asked.files) > _MOST:
        names = _tr("{0} and {1} more").format(names, count_in_words(len(asked.files) - _MOST))
    text = _files(len(asked.files))
    if others > 0:
        text = _tr("{}, with copies, sidecars and other files that belong to them").format(text)
    end = _tr("They can be brought back from the system's trash.")
    return title, f"{text}: {names}. {end}"


def trash_in_words(report: TrashReport) -> tuple[str, str]:
    """What went to the trash, and what was not there to go."""
    message = _tr("{} moved to the trash").format(_files(len(report.files)))
    if not report.absent:
        return message, ""
    absent = _files(len(report.absent))
    return message, _tr("Not there now: {}. They stay in the library.").format(absent)


def undone_in_words(decision: Decision | None) -> tuple[str, str]:
    """What was taken back."""
    if decision is None:
        return _tr("There is nothing to undo"), ""
    return _tr("Undone: {}").format(decision_text(decision.value)), ""


def _listed(told: list[str]) -> str:
    shown = "; ".join(told[:_MOST])
    if len(told) > _MOST:
        shown = _tr("{0}; and {1} more").format(shown, count_in_words(len(told) - _MOST))
    return shown


def _files(count: int) -> str:
    return _tr("1 file") if count == 1 else _tr("{} files").format(count_in_words(count))


def _sidecars(count: int) -> str:
    return _tr("1 sidecar") if count == 1 else _tr("{} sidecars").format(count_in_words(count))


def _tr(text: str) -> str:
    return QCoreApplication.translate("outgoing", text)
