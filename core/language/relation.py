"""What binds the photos that a brief asks for: an event, a trip, a day, or a return."""

import re

from core.domain.story import Relation
from core.language.wordings import pattern


def find_relation(text: str, placed: bool, eventful: bool) -> Relation:
    """The relation that the words of a brief (lower case) speak of.

    A brief with a place and without an event of its own tells of a trip.
    """
    if pattern("relation", "day_to_night").search(text):
        return Relation.DAY_TO_NIGHT
    if pattern("relation", "recurring").search(text):
        return Relation.RECURRING
    if pattern("relation", "trip").search(text) or (placed and not eventful):
        return Relation.TRIP
    return Relation.EVENT


def without_relation(text: str) -> str:
    """The brief without the words that only say what binds the photos."""
    text = pattern("relation", "change").sub(r"\1", text)
    for name in ("day_to_night", "recurring"):
        text = pattern("relation", name).sub(" ", text)
    return re.sub(r"\s+", " ", text).strip()
