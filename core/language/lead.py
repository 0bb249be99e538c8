"""The words that lead to a query and show nothing: "show me photos of …"."""

import re
from dataclasses import dataclass

_ASK = re.compile(
    r"^(?:please|hey|hi|hello|ok|can you|could you|would you|i (?:am|'m) looking for|i (?:only )?(?:want|need|"
    r"wish)(?: to (?:see|find|have))?|i would (?:like|love)(?: to (?:see|find|have))?|i like|we want|"
    r"looking for|show(?: me| us)?|find(?: me| us)?|search(?: for| me)?|give me|get(?: me)?(?! rid)|"
    r"display|list|let me see|let us see|where (?:is|are)|fetch|bring me|pick|(?:two|three|some|\d) changes|"
    r"do (?:we|i|you) have|are there|is there)\b[ ,:]*",
    re.I,
)
_NOUN = r"(?:photo(?:graph)?|picture|image|pic|shot|snapshot|snap)"
_PHOTOS = re.compile(
    rf"^(?:all |some |any |every |each |the |a |an |one |my |our |of |other |more |those |these |best |nice |good )*"
    rf"{_NOUN}s?\b(?: which| that| where| in which| on which)?"
    r"(?: (?:show(?:s|ing)?|of|depict(?:s|ing)?|there (?:is|are)|(?:you|i|we) (?:can )?see|i took of|about|for))*[ :]*",
    re.I,
)
_SAME_PHOTO = re.compile(
    rf"^(?:the |a |an |this )?(?:same|similar|exact same|identical) {_NOUN}s?\b[ ,]*(?:as this)?[ ,]*",
    re.I,
)
_ONE = re.compile(
    rf"\b(?:the|that|a|an|one|my) (?:\w+ )?{_NOUN}\b|\bwhich {_NOUN}\b|\bthe one (?:where|with|of|in)\b",
    re.I,
)
_MANY = re.compile(rf"\b{_NOUN}s\b|\ball\b|\bevery\b", re.I)


@dataclass(frozen=True, slots=True)
class Lead:
    """The query without its lead, and whether several photos are wanted."""

    text: str
    several: bool


def strip_lead(text: str) -> Lead:
    """Take off the words that only ask; plural and unclear wordings want several photos."""
    several = bool(_MANY.search(text)) or not _ONE.search(text)
    previous = None
    while text != previous:
        previous = text
        text = _ASK.sub("", text)
    same = _SAME_PHOTO.match(text)
    if same:
        return Lead(f"the same photo, {text[same.end() :]}", several)
    return Lead(_PHOTOS.sub("", text, count=1), several)
