"""Facts in the words of the user's language; shared by the screens."""

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Photo
from core.domain.problem import ProblemReason


def day_in_words(day: date | None) -> str:
    """A day with its weekday, or that it is not known."""
    if day is None:
        return _tr("No date")
    shown = QDate(day.year, day.month, day.day)
    return QLocale().toString(shown, _tr("dddd, d MMMM yyyy"))


def short_day(day: date) -> str:
    """A day without its weekday."""
    return QLocale().toString(QDate(day.year, day.month, day.day), _tr("d MMM yyyy"))


def time_span(begins: datetime, ends: datetime) -> str:
    """From when to when on one day, by the minute."""
    times = [QLocale().toString(QTime(t.hour, t.minute), _tr("HH:mm")) for t in (begins, ends)]
    return times[0] if times[0] == times[1] else f"{times[0]}–{times[1]}"


def moment_in_words(taken: CaptureTime | None) -> str:
    """A capture time as exact as it is known, with its offset only where the photo tells it."""
    if taken is None:
        return _tr("No date")
    local = taken.local
    if taken.precision is Precision.DAY:
        return day_in_words(local.date())
    moment = QDateTime(
        QDate(local.year, local.month, local.day), QTime(local.hour, local.minute, local.second)
    )
    words = QLocale().toString(moment, _tr("ddd, d MMM yyyy, HH:mm"))
    if taken.offset is None:
        return words
    minutes = round(taken.offset.total_seconds() / 60)
    sign = "+" if minutes >= 0 else "−"
    return f"{words} (UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d})"


def clock_in_words(taken: CaptureTime) -> str:
    """Where a capture time comes from and how exact it is."""
    sources = {
        ClockSource.ORIGINAL: _tr("from the camera, when taken"),
        ClockSource.DIGITIZED: _tr("from the camera, when digitised"),
        ClockSource.XMP: _tr("from embedded XMP data"),
        ClockSource.IPTC: _tr("from embedded IPTC data"),
        ClockSource.VIDEO: _tr("from the video itself"),
        ClockSource.TAKEOUT: _tr("from Google Takeout's file beside it"),
        ClockSource.GPS: _tr("from GPS time"),
        ClockSource.FILE_NAME: _tr("from the file name"),
        ClockSource.CHANGED: _tr("from when the picture was last changed"),
        ClockSource.FILE_TIME: _tr("from the file's own time"),
    }
    exact = {Precision.SECOND: _tr("to the second"), Precision.DAY: _tr("the day only")}
    return f"{sources[taken.source]}, {exact[taken.precision]}"


def place_in_words(photo: Photo) -> str:
    """The nearest named place; empty where no position is known."""
    return photo.facts.place.text if photo.facts.place else ""


def photo_caption(photo: Photo) -> str:
    """A photo in one line: file name, date, place."""
    parts = (photo.path.name, moment_in_words(photo.facts.taken), place_in_words(photo))
    return " · ".join(part for part in parts if part)


def size_in_words(size: int) -> str:
    """A number of bytes as a person reads it."""
    return QLocale().formattedDataSize(size, 1)


def count_in_words(number: int) -> str:
    """A number with the separators of the user's language."""
    return QLocale().toString(number)


def photos_in_words(number: int) -> str:
    """So many photos."""
    return _tr("1 photo") if number == 1 else _tr("{} photos").format(count_in_words(number))


def reason_in_words(reason: ProblemReason) -> str:
    """Why a file is not in the library."""
    words = {
        ProblemReason.UNREADABLE: _tr("The file could not be opened"),
        ProblemReason.DAMAGED: _tr("The picture is damaged"),
        ProblemReason.DECODER_CRASHED: _tr("Reading it made the decoder fail"),
        ProblemReason.DECODER_TIMEOUT: _tr("Reading it took too long"),
        ProblemReason.TOO_LARGE: _tr("The picture is larger than the limit"),
        ProblemReason.EMPTY: _tr("The file is empty"),
        ProblemReason.BROKEN_LINK: _tr("The link leads nowhere"),
        ProblemReason.NOT_A_PHOTO: _tr("Not a photo"),
        ProblemReason.VIDEO: _tr("Videos are not supported yet"),
        ProblemReason.UNSUPPORTED: _tr("This format is not supported"),
    }
    return words[reason]


def stage_in_words(stage: str) -> str:
    """A stage of a long task; its own name where no words are known."""
    words = {
        "scan": _tr("Looking for photos"),
        "read": _tr("Reading photos"),
        "embed": _tr("Looking at photos"),
        "sessions": _tr("Grouping into sessions"),
        "models": _tr("Loading the models"),
        "load": _tr("Loading the library"),
        "retrieve": _tr("Looking through the library"),
        "compose": _tr("Putting photos together"),
    }
    return words.get(stage, stage)


def _tr(text: str) -> str:
    return QCoreApplication.translate("words", text)
