"""Names of files as pairing compares them: NFC, without case, in parts."""

import re
import unicodedata
from dataclasses import dataclass

_APPLE_EDITED = re.compile(r"img_[eo](?=\d{4})")
_EDITED = re.compile(r"-(edited|bearbeitet|modifi\u00e9|editado|modificato|edit)(?=(\(\d+\))?$)")


@dataclass(frozen=True, slots=True)
class NameParts:
    """A file's name as it compares: whole, its stem, and its suffix with the dot."""

    whole: str
    stem: str
    suffix: str


def comparable(name: str) -> str:
    """Equal for names that people take for one: NFC, without case."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def parts_of(name: str) -> NameParts:
    """The parts of a name; one that begins with its only dot has no suffix."""
    whole = comparable(name)
    stem, dot, suffix = whole.rpartition(".")
    return NameParts(whole, stem, dot + suffix) if stem else NameParts(whole, whole, "")


def unedited(stem: str) -> str:
    """The comparable stem of the original of an edited copy; itself where it is none.

    Apple writes IMG_E1234 for IMG_1234; Google and others append a word, Lightroom "-Edit".
    """
    if stem.startswith("img_"):
        return _APPLE_EDITED.sub("img_", stem, count=1)
    return _EDITED.sub("", stem, count=1)
