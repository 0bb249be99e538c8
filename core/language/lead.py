"""The words that lead to a query and show nothing: "show me photos of …"."""

from dataclasses import dataclass

from core.language.wordings import pattern


@dataclass(frozen=True, slots=True)
class Lead:
    """The query without its lead, and whether several photos are wanted."""

    text: str
    several: bool


def strip_lead(text: str) -> Lead:
    """Take off the words that only ask; plural and unclear wordings want several photos."""
    several = bool(pattern("lead", "many").search(text)) or not pattern("lead", "one").search(text)
    previous = None
    while text != previous:
        previous = text
        text = pattern("lead", "ask").sub("", text)
    same = pattern("lead", "same").match(text)
    if same:
        return Lead(f"the same photo, {text[same.end() :]}", several)
    return Lead(pattern("lead", "photos").sub("", text, count=1), several)


def strip_story_lead(text: str) -> str:
    """A story brief without the words that only ask for a story."""
    bare = pattern("lead", "order").sub("", pattern("lead", "story").sub("", text))
    return strip_lead(bare).text
