"""What binds the photos that a brief asks for: an event, a trip, a day, or a return."""

import re

from core.domain.story import Relation

_DAY_TO_NIGHT = re.compile(
    r"\b(?:(?:from )?(?:day|daytime|morning|dawn|sunrise|noon|afternoon)(?:light)? (?:to|until|till|into|through) "
    r"(?:the )?(?:night|nighttime|evening|dusk|sunset|dark|midnight)|day and night|as (?:the )?night falls|"
    r"through(?:out)? the day|all day long|over the course of (?:a|the|one) day|one day in|a day in the life|"
    r"dawn till dusk|as it (?:gets|got) dark)\b"
)
_RECURRING = re.compile(
    r"\b(?:every (?:year|summer|winter|spring|autumn|fall|christmas|season|month|week|time|visit|\w+day)|each "
    r"(?:year|summer|winter|spring|autumn|visit|time|christmas|season)|over the (?:years|seasons|months)|"
    r"through(?:out)? the (?:years|seasons)|(?:all|four) (?:the )?(?:four )?seasons|"
    r"year (?:after|by) year|again and again|recurring|growing up|grows? up|then and now|"
    r"(?:our|my|all|the) visits|from (?:spring|summer|autumn|winter) to (?:spring|summer|autumn|winter)|annual|yearly|"
    r"across the (?:years|seasons)|how (?:\w+ ){1,4}(?:has |have )?changed)\b"
)
_TRIP = re.compile(
    r"\b(?:trip|trips|travel|travels|travelling|traveling|journey|holiday|holidays|vacation|tour|voyage|"
    r"roadtrip|honeymoon|cruise|excursion|getaway|expedition|safari|weekend in|visit to|week in|days in)\b"
)

_CHANGE = re.compile(
    r"\bhow ((?:\w+ ){1,4}?)(?:has |have )?(?:changed|changes|grew|grows|grown|looks?)\b(?: up)?"
)


def find_relation(text: str, placed: bool, eventful: bool) -> Relation:
    """The relation that the words of a brief (lower case) speak of.

    A brief with a place and without an event of its own tells of a trip.
    """
    if _DAY_TO_NIGHT.search(text):
        return Relation.DAY_TO_NIGHT
    if _RECURRING.search(text):
        return Relation.RECURRING
    if _TRIP.search(text) or (placed and not eventful):
        return Relation.TRIP
    return Relation.EVENT


def without_relation(text: str) -> str:
    """The brief without the words that only say what binds the photos."""
    text = _CHANGE.sub(r"\1", text)
    for pattern in (_DAY_TO_NIGHT, _RECURRING):
        text = pattern.sub(" ", text)
    return re.sub(r"\s+", " ", text).strip()
