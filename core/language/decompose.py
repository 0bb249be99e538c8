"""Put a wished change into plain words, and cut what is wanted into clauses.

Orders become statements: "remove X" → "without X", "replace X with Y" → "Y instead of X",
"add X" → "with X", "make the dog white" → "white dog". The exclusions are then read by
`negation`, and what is left is cut here.
"""

import re
from dataclasses import dataclass

from core.domain.query import ConditionKind
from core.language.conditions import find_parts, is_adjective
from core.language.scenes import place_phrase
from core.language.vocabulary import lexicon
from core.language.wordings import pattern, replacements
from core.language.words import cut, with_article


@dataclass(frozen=True, slots=True)
class Clause:
    """One piece of what is wanted; `added` when it joins the subject ("with a ball")."""

    text: str
    added: bool = False


def state_plainly(text: str) -> str:
    """The text (lower case) with every order turned into a statement."""
    for order, plain in replacements("orders"):
        text = order.sub({"CHANGE": _changed, "MAKE": _made}.get(plain, plain), text)
    words = [lexicon().plain_form.get(word, word) for word in text.split(" ")]
    return re.sub(r"\s+", " ", " ".join(words)).strip()


def _changed(match: re.Match[str]) -> str:
    old, new = match["x"].strip(), match["y"].strip()
    quality = pattern("changes", "quality").match(old)
    if quality is None:
        joined = place_phrase(new) if _is_scene_alone(new) else f"with {new}"
        return f", {joined} instead of {old}"
    owner = quality["of"] or quality["owner"]
    if owner and all(is_adjective(word) for word in cut(new)):
        return f", {with_article(f'{new} {owner}')}"
    if quality["name"] in ("background", "sky") and all(is_adjective(w) for w in cut(new)):
        return f", with a {new} {quality['name']}"
    return f", {new}"


def _is_scene_alone(phrase: str) -> bool:
    parts = find_parts(phrase)
    return len(parts) == 1 and parts[0].kind is ConditionKind.SCENE


def _made(match: re.Match[str]) -> str:
    noun, new = match["x"].strip(), match["y"].strip()
    words = cut(new)
    if words and all(is_adjective(lexicon().plain_form.get(w, w)) for w in words):
        stem = re.sub(r"^(?:the|a|his|her|their) ", "", noun)
        named = f"{new} {stem}"
        return f", {with_article(named)}"
    return f", {noun} {new}"


def cut_clauses(text: str) -> tuple[Clause, ...]:
    """Cut what is wanted at commas, "but", and "and" before a new beginning."""
    clauses = []
    for piece in pattern("changes", "clause").split(text):
        plain = re.sub(r"^(?:and|or|also|then|so|instead|with instead)\b ?", "", piece.strip())
        plain = re.sub(r"\b(?:instead|please|too|as well)$", "", plain).strip()
        plain = re.sub(r"^with (?=(?:on|in|at|with|from|under|near)\b)", "", plain)
        if plain and plain not in ("with", "the", "a", "it", "and"):
            clauses.append(Clause(plain, plain.startswith("with ")))
    return tuple(clauses)
