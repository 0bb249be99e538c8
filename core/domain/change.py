"""What a mutation changed, so that each screen can refresh itself."""

from enum import Flag, auto


class LibraryChange(Flag):
    """The parts of a library that an operation touched."""

    NOTHING = 0
    PHOTOS = auto()
    SESSIONS = auto()
    EMBEDDINGS = auto()
    PROBLEMS = auto()
    JUDGEMENTS = auto()
