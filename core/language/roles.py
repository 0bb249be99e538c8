"""The roles of a story: those that the brief lists, else those that its kind of story has."""

import re
from functools import cache
from typing import Any

from core.domain.query import ConditionKind
from core.domain.story import Relation, Role
from core.language.clean import tidy
from core.language.conditions import find_parts
from core.language.scenes import place_phrase
from core.language.vocabulary import lexicon, read_table
from core.language.wordings import pattern, word_set
from core.language.words import bare, canonical, with_article

ANYTIME = -1
"""The position of a role that has no place in the order."""
_LONGEST_ITEM = 7


@cache
def _table() -> dict[str, Any]:
    return read_table("roles.toml")


@cache
def _occasion() -> re.Pattern[str]:
    nouns = "|".join(sorted(word_set("list", "events")))
    return re.compile(
        rf"^(?:(?:a|an|the) )?(?:[\w'-]+ )?\b(?P<noun>{nouns})\b(?! \w+ (?:party|game|match)\b)"
    )


def split_list(text: str) -> tuple[str, tuple[str, ...]]:
    """The subject before an explicit list of parts, and the parts; () where nothing is listed."""
    intro = pattern("list", "intro").match(text)
    before, rest = (intro["before"], intro["items"]) if intro else ("", text)
    items = _items(rest)
    led = intro is not None and ":" in text
    if len(items) >= (2 if led else 3) and all(len(i.split()) <= _LONGEST_ITEM for i in items):
        return before.strip(), items
    return text.replace(":", ","), ()


def _items(text: str) -> tuple[str, ...]:
    pieces = [piece for piece in pattern("list", "split").split(text.strip(" .")) if piece.strip()]
    if len(pieces) > 1:
        pieces[-1:] = (
            re.split(r"\s+and\s+", pieces[-1]) if len(pieces[-1].split()) < 9 else pieces[-1:]
        )
    cleaned = (tidy(re.sub(r"^(?:first|at first|and|to)\b", "", p.strip())) for p in pieces)
    return tuple(item for item in cleaned if item)


def listed_roles(items: tuple[str, ...], subject: str, most: int) -> tuple[Role, ...]:
    """One role an item, in the order of the brief; required as far as the story is long."""
    return tuple(
        Role(
            bare(item),
            join_subject(_as_phrase(item), subject),
            at,
            at < most,
        )
        for at, item in enumerate(items)
    )


def _as_phrase(item: str) -> str:
    parts = find_parts(item)
    doing = parts and parts[0].kind is ConditionKind.ACTION
    return item if doing or len(item.split()) > 2 else with_article(item)


def kind_of_event(text: str) -> str:
    """The kind of story whose signs the text holds; "" where none."""
    for name, signs in _table()["signs"].items():
        if any(re.search(rf"\b{re.escape(sign)}\b", text) for sign in signs):
            return str(name)
    return ""


def usual_roles(relation: Relation, kind: str, subject: str, most: int) -> tuple[Role, ...]:
    """The roles that such a story has, at most `most`; optional ones give way first."""
    sets = _table()[relation.value]
    entries = _entries(sets, relation, kind, subject)
    own = kind in sets and relation is Relation.EVENT
    needed = [entry for entry in entries if entry.get("needed")]
    optional = [entry for entry in entries if not entry.get("needed")]
    kept = [*needed, *optional][:most]
    return tuple(
        Role(
            name=entry["name"],
            query=_query(entry, subject, own),
            position=ANYTIME if entry.get("anytime") else at,
            required=bool(entry.get("needed")),
        )
        for at, entry in enumerate(entries)
        if entry in kept
    )


def _entries(
    sets: dict[str, Any], relation: Relation, kind: str, subject: str
) -> list[dict[str, Any]]:
    """The parts of a kind of story; of what is no event at all, only its subject or an outing's."""
    entries: list[dict[str, Any]] = sets.get(kind, sets["default"])
    if relation is not Relation.EVENT or kind in sets:
        return entries
    if not find_parts(subject):
        return list(sets["outing"])
    return [entry for entry in entries if entry.get("needed") or not _names_new(subject)]


def _query(entry: dict[str, Any], subject: str, own: bool) -> str:
    words = str(entry["words"])
    if entry.get("plain") or not words:
        return subject_phrase(subject) or words
    if entry.get("alone") or (own and not _names_new(subject)):
        return words
    if words.split(" ", maxsplit=1)[0] in lexicon().prepositions:
        return tidy(f"{subject_phrase(subject)} {words}")
    return join_subject(words, subject)


def _names_new(subject: str) -> bool:
    """Whether a subject says more than the kind of event does."""
    return any(
        canonical(p.text).rpartition(" ")[2] not in word_set("list", "events")
        for p in find_parts(subject)
    )


def subject_phrase(subject: str) -> str:
    """The subject as a caption names it."""
    led = subject.split(" ", maxsplit=1)[0] in lexicon().prepositions
    return (
        subject if led or (" " in subject and subject != bare(subject)) else with_article(subject)
    )


def join_subject(words: str, subject: str) -> str:
    """The words of a role joined with the story's subject: "a campfire on a camping trip"."""
    occasion = _occasion().match(subject)
    if occasion:
        rest = subject[occasion.end() :].strip()
        if rest:
            return tidy(f"{words} {_led(rest)}")
        lead = "on" if occasion["noun"] in word_set("list", "on") else "at"
        return f"{words} {lead} {subject_phrase(subject)}"
    if not find_parts(subject) or canonical(subject) in canonical(words):
        return words
    return tidy(f"{words} {_led(subject)}")


def _led(subject: str) -> str:
    """The subject with the preposition that ties it to what comes before."""
    if subject.split(" ", maxsplit=1)[0] in lexicon().prepositions:
        return subject.removeprefix("of ")
    parts = find_parts(subject)
    if parts and parts[0].kind is ConditionKind.SCENE:
        return place_phrase(subject)
    joiner = "while" if parts and parts[0].kind is ConditionKind.ACTION else "with"
    return f"{joiner} {subject_phrase(subject)}"
