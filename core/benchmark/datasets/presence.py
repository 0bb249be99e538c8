"""What captions say that a photo shows, and what they leave open."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.domain.arrays import BoolArray

_WORD = re.compile(r"[a-z]+")
_IRREGULAR = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "people": "people",
    "leaves": "leaf",
    "sheep": "sheep",
    "grass": "grass",
    "glasses": "glasses",
    "sunglasses": "sunglasses",
    "bus": "bus",
    "tennis": "tennis",
    "dress": "dress",
    "skis": "skis",
    "waves": "wave",
    "wolves": "wolf",
    "kisses": "kiss",
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """An everyday phrase of one kind; any of the `wordings` in a caption says it."""

    text: str
    kind: str
    wordings: tuple[frozenset[str], ...]
    line: str = ""
    """The line of the vocabulary file."""


def read_phrases(path: Path) -> list[Phrase]:
    """The phrases of a vocabulary file: kind = ["phrase", "phrase = wording / wording", …]."""
    kinds = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_phrase(line, kind) for kind, lines in kinds.items() for line in lines]


def presence_labels(
    phrases: Sequence[Phrase], captions: Sequence[Sequence[str]]
) -> tuple[BoolArray, BoolArray]:
    """Present and absent, both (phrases, photos).

    Present: at least two captions of the photo say it. Absent: none does. Else neither: unknown.
    """
    said = _counts(phrases, captions)
    return said >= 2, said == 0


def stems(text: str) -> frozenset[str]:
    """The words of a text without plural endings."""
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()))


def _counts(
    phrases: Sequence[Phrase], captions: Sequence[Sequence[str]]
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """How many captions of each photo say each phrase: (phrases, photos)."""
    said_by: dict[str, set[tuple[int, int]]] = {}
    for photo, own in enumerate(captions):
        for number, caption in enumerate(own):
            for word in stems(caption):
                said_by.setdefault(word, set()).add((photo, number))
    said = np.zeros((len(phrases), len(captions)), np.int64)
    for row, phrase in enumerate(phrases):
        groups = [[said_by.get(word, set()) for word in words] for words in phrase.wordings]
        for photo, _ in set().union(*(set.intersection(*group) for group in groups if group)):
            said[row, photo] += 1
    return said


def _phrase(line: str, kind: str) -> Phrase:
    text, _, wordings = line.partition(" = ")
    choices = wordings.split(" / ") if wordings else [text]
    return Phrase(text, kind, tuple(stems(choice) for choice in choices), line)


def _stem(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
