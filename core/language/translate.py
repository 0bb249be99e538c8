"""Put German, French, Spanish and Italian queries into English, word by word.

Known limits: only everyday photo words, negations and wordings of "instead of" are known; word
order is kept, but that looks are put before their noun. Words that are not known stay as they
are, and a note tells them. Other languages pass through untouched.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.language.conditions import is_adjective
from core.language.places import is_everyday
from core.language.vocabulary import everyday_rows, lexicon, read_table

_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[^\w\s]|\d+|\S")
_NAMES = {"de": "German", "fr": "French", "es": "Spanish", "it": "Italian"}
_SHORTEST_STEM = 3
_ENDINGS = {
    "de": tuple((e, d) for e in ("en", "er", "es", "em", "e", "n", "s") for d in ("", "e")),
    "fr": (("s", ""), ("es", ""), ("es", "e"), ("e", ""), ("x", ""), ("aux", "al")),
    "es": (("s", ""), ("es", ""), ("a", "o"), ("as", "o"), ("os", "o"), ("as", "a")),
    "it": (("i", "o"), ("e", "a"), ("a", "o"), ("e", "o"), ("i", "e"), ("he", "a"), ("hi", "o")),
}
"""Endings that go, and what a dictionary form has in their place."""

_ELIDED = re.compile(r"\b(?:l|d|un|dell|nell|sull|all|qu)'(?=\w)", re.I)


@dataclass(frozen=True, slots=True)
class English:
    """A text in English as far as it is known; whether its capitals mark names; notes."""

    text: str
    capitals_name: bool = True
    notes: tuple[str, ...] = ()


@cache
def _languages() -> dict[str, Any]:
    tables = read_table("languages.toml")
    for table in tables.values():
        table["signs"] = frozenset(table["signs"].split())
        pairs = (pair.split(":") for pair in table["words"].split(";"))
        table["words"] = {foreign.strip(): english.strip() for foreign, english in pairs}
    for english, *foreign in everyday_rows():
        for code, forms in zip(_NAMES, foreign, strict=True):
            for form in forms.split("/"):
                kept = tables[code]["phrases" if re.search(r"[ '-]", form) else "words"]
                kept.setdefault(form, english)
    return tables


@cache
def _known(code: str) -> dict[str, str]:
    return dict(_languages()[code]["words"])


def english_word(word: str, code: str) -> str | None:
    """A lower-case foreign word in English, also where it is inflected by rule; None if unknown."""
    words = _known(code)
    if word in words:
        return words[word]
    for ending, dictionary in _ENDINGS[code]:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM and stem + dictionary in words:
            return words[stem + dictionary]
    return None


def to_english(text: str) -> English:
    """The text in English, or untouched where no other known language is recognised."""
    code = find_language(text)
    if code is None:
        foreign = any(ord(c) > 0x24F and c.isalpha() for c in text)
        note = ("Only English, German, French, Spanish and Italian are understood.",)
        return English(text, notes=note if foreign else ())
    table = _languages()[code]
    for phrase in sorted(table["phrases"], key=len, reverse=True):
        end = r"(?!\w)" if phrase[-1] != "'" else ""
        text = re.sub(
            rf"(?<!\w){re.escape(phrase)}{end}", f"⟦{table['phrases'][phrase]}⟧", text, flags=re.I
        )
    pieces = re.split(r"(⟦[^⟧]*⟧)", text)
    unknown: list[str] = []
    put = [p[1:-1] if p.startswith("⟦") else _put(p, code, unknown) for p in pieces]
    english = " ".join(part for part in put if part)
    if table["swap"]:
        english = _looks_first(english)
    english = re.sub(r"\s+", " ", english)
    english = re.sub(r"\bnobody people\b", "nobody", re.sub(r" ([,.;:!?])", r"\1", english))
    return English(english, capitals_name=code != "de", notes=_notes(code, unknown))


def find_language(text: str) -> str | None:
    """The code of the language that the signs speak for; None for English and for others."""
    words = [word.lower() for word in _TOKEN.findall(_ELIDED.sub(" ", text))]
    english = sum(word in lexicon().function_words or is_everyday(word) for word in words)
    best, most = None, 0
    for code, table in _languages().items():
        score = sum(word in table["signs"] or bool(english_word(word, code)) for word in words)
        sure = any(
            word in table["signs"] and word not in lexicon().function_words for word in words
        ) or all(english_word(word, code) and not is_everyday(word) for word in words)
        if sure and score > most:
            best, most = code, score
    return best if words and most > english and most * 2 >= len(words) else None


def _put(text: str, code: str, unknown: list[str]) -> str:
    out: list[str] = []
    for token in _TOKEN.findall(_ELIDED.sub(" ", text)):
        known = english_word(token.lower(), code)
        out.append(token if known is None else known)
        if known is None and len(token) > 1 and token.isalpha() and not is_everyday(token.lower()):
            unknown.append(token)
    return " ".join(out)


def _looks_first(text: str) -> str:
    """Put "a dog black on the beach" as "a black dog on the beach"."""
    words = text.split(" ")
    for at in range(1, len(words)):
        before = words[at - 1].lower()
        noun = before not in lexicon().function_words and before.isalpha()
        if is_adjective(words[at]) and noun and not is_adjective(before):
            words[at - 1], words[at] = words[at], words[at - 1]
    return " ".join(words)


def _notes(code: str, unknown: list[str]) -> tuple[str, ...]:
    common = [word for word in dict.fromkeys(unknown) if word[0].islower() or code == "de"]
    if not common:
        return ()
    return (f"Read as {_NAMES[code]}; not known: {', '.join(common[:6])}.",)
