"""What is checked of a story, in words that a person reads without knowing the checks."""

from PySide6.QtCore import QCoreApplication


def check_in_words(name: str) -> str:
    """A check by what it is good for; its own name where no words are known."""
    words = {
        "roles covered": _tr("Every part is told"),
        "one event": _tr("Belongs together"),
        "one place": _tr("Close in place"),
        "time order": _tr("In the right order"),
        "redundancy": _tr("Nothing twice"),
        "days of the trip": _tr("Spans the trip"),
        "occasions": _tr("Many occasions"),
        "the day passes": _tr("The day passes"),
        "size": _tr("Enough photos"),
    }
    return words.get(name, sentence(name))


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def _tr(text: str) -> str:
    return QCoreApplication.translate("story", text)
