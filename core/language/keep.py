"""What the text points to in the reference: "the same dog", "this place", "keep the hat"."""

import re
from dataclasses import dataclass

from core.language.words import with_article

_PLACE = frozenset(
    [
        "place",
        "scene",
        "location",
        "spot",
        "background",
        "setting",
        "environment",
        "scenery",
        "surroundings",
        "room",
    ]
)
_SUBJECT = frozenset(
    ["person", "guy", "people", "animal", "subject", "pet", "thing", "object", "one", "individual"]
)
_WHOLE = frozenset(
    [
        "photo",
        "picture",
        "image",
        "shot",
        "style",
        "composition",
        "angle",
        "view",
        "everything",
        "rest",
        "pose",
        "all",
        "way",
        "photos",
        "pictures",
        "framing",
        "perspective",
        "motif",
    ]
)
_OF_THE_SAME = re.compile(
    r"\bof (?:the|a) (?:same|similar) (?:breed|kind|type|size|style|species|colou?r)\b"
)
_SAME = re.compile(
    r"\b(?:keep(?:ing)? |leav(?:e|ing) |retain(?:ing)? |preserv(?:e|ing) )?(?:the |this |that |an? )?"
    r"(?:very |exact |exactly the )?(?:same|identical|similar) (?:kind of |type of |breed )?"
    r"(?P<noun>[\w-]+)"
)
_KEEP = re.compile(
    r"\b(?:keep|keeping|retain|preserve|maintain|leave|leaving)\b (?:the |this |that |his |her )?"
    r"(?P<noun>[\w-]+)(?: else| as (?:is|it is|they are)| unchanged)?"
)
_THIS = re.compile(r"\b(?:this|that|these|those) (?P<noun>[\w-]+)")
_LIKE_THIS = re.compile(
    r"\b(?:(?:exactly|just) )?(?:like|similar to|as in) (?:this|that|the (?:reference|original))"
    r"(?: (?:one|photo|picture|image))?"
)


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
        for name, words in (("scene", _PLACE), ("subject", _SUBJECT), ("whole", _WHOLE)):
            if noun in words:
                found.add(name)
                return "" if has_reference or name == "whole" else with_article(noun)
        return with_article(noun)

    def whole(_: re.Match[str]) -> str:
        found.add("whole")
        return ""

    text = _LIKE_THIS.sub(whole, _OF_THE_SAME.sub("", text))
    text = _KEEP.sub(put, _SAME.sub(put, text))
    if has_reference:
        text = _THIS.sub(put, text)
    return Kept(
        re.sub(r"\s+", " ", text).strip(),
        subject="subject" in found,
        scene="scene" in found,
        whole="whole" in found,
    )
