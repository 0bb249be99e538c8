"""Negative wordings put plainly, and the thing that a negative phrase names."""

import re

from core.language.clean import clean
from core.language.vocabulary import lexicon
from core.language.wordings import pattern, replacements, word_set
from core.language.words import canonical, cut, singular


def settle_idioms(text: str) -> str:
    """The text with idioms that only look negative put plainly, and "not X but Y" turned round."""
    for idiom, plain in replacements("idioms"):
        text = idiom.sub(plain, text)
    text = pattern("negation", "free").sub(_without, text)
    turned = pattern("negation", "but")
    return turned.sub(lambda m: f"{m['new'].strip()} instead of {m['old'].strip()}", text)


def _without(match: re.Match[str]) -> str:
    """Put "a car-free street" as a street without cars."""
    noun = match[1].lower()
    plural = (
        noun if singular(noun) != noun or noun in lexicon().mass or noun == "people" else noun + "s"
    )
    return f"{match[2] or ''} without {plural}".strip()


def name_unwanted(text: str) -> str:
    """The thing that a negative phrase names: "no people" → "people", "nobody" → "people".

    The answer never holds a negation; "" where nothing is named.
    """
    all_words = [w for w in cut(clean(text).lower()) if w not in ",;:.!?"]
    kept: list[str] = []
    for at, word in enumerate(all_words):
        if word == "nobody" or (word == "one" and at and all_words[at - 1] == "no"):
            kept.append("people")
        elif not _negates(word):
            kept.append(word)
    while kept and kept[0] in word_set("negation", "fillers"):
        kept = kept[1:]
    while kept and (
        kept[-1] in word_set("negation", "fillers") or kept[-1] in word_set("negation", "tail")
    ):
        kept = kept[:-1]
    name = " ".join(kept)
    return "people" if canonical(name) == "people" else name


def _negates(word: str) -> bool:
    return word in word_set("negation", "words") or word.endswith("n't") or word.startswith("non-")


def same_thing(one: str, other: str) -> bool:
    """Whether two phrases name the same thing, or one a kind of the other: man, people."""
    first, second = canonical(one), canonical(other)
    return first == second or is_kind_of(first, second) or is_kind_of(second, first)


def is_kind_of(phrase: str, group: str) -> bool:
    """Whether a phrase names one of a group: "old man" of "people", "brown dog" of "dog"."""
    name, wide = canonical(phrase), canonical(group)
    if name == wide or name.endswith(f" {wide}"):
        return True
    members = lexicon().groups.get(wide, frozenset())
    return name in members or name.rpartition(" ")[2] in members
