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
from core.language.vocabulary import lexicon, read_table

_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[^\w\s]|\d+|\S")
_NAMES = {"de": "German", "fr": "French", "es": "Spanish", "it": "Italian"}
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
    return tables


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
    put = [p[1:-1] if p.startswith("⟦") else _put(p, table["words"], unknown) for p in pieces]
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
        score = sum(word in table["signs"] or word in table["words"] for word in words)
        sure = any(
            word in table["signs"] and word not in lexicon().function_words for word in words
        ) or all(word in table["words"] and not is_everyday(word) for word in words)
        if sure and score > most:
            best, most = code, score
    return best if words and most > english and most * 2 >= len(words) else None


def _put(text: str, words: dict[str, str], unknown: list[str]) -> str:
    out: list[str] = []
    for token in _TOKEN.findall(_ELIDED.sub(" ", text)):
        known = words.get(token.lower())
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
