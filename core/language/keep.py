"""What the text points to in the reference: "the same dog", "this place", "keep the hat"."""

import re
from dataclasses import dataclass

from core.language.wordings import pattern, word_set
from core.language.words import with_article

_POINTS_TO = ("place", "subject", "whole")


@dataclass(frozen=True, slots=True)
class Kept:
    """The text with its pointers put in words, and which parts of the reference they mean."""

    text: str
    subject: bool = False
    scene: bool = False
    whole: bool = False


def resolve_pointers(text: str, has_reference: bool) -> Kept:
    """Put "the same dog" as "a dog", and note what only the reference can fill in."""
    found: set[str] = set()

    def put(match: re.Match[str]) -> str:
        noun = match["noun"]
        for name in _POINTS_TO:
            if noun in word_set("keep", name):
                found.add(name)
                return "" if has_reference or name == "whole" else with_article(noun)
        return with_article(noun)

    def whole(_: re.Match[str]) -> str:
        found.add("whole")
        return ""

    text = pattern("keep", "of_the_same").sub("", text)
    text = pattern("keep", "like_this").sub(whole, text)
    for name in ("same", "keep", "this")[: 3 if has_reference else 2]:
        text = pattern("keep", name).sub(put, text)
    return Kept(
        re.sub(r"\s+", " ", text).strip(),
        subject="subject" in found,
        scene="place" in found,
        whole="whole" in found,
    )
