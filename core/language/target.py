"""The wanted photo in one caption-like phrase."""

import re

from core.domain.query import ConditionKind
from core.language.clean import tidy
from core.language.conditions import Part, find_parts, is_adjective
from core.language.decompose import Clause
from core.language.negation import is_kind_of
from core.language.reference import Remembered, is_actor
from core.language.scenes import place_phrase
from core.language.vocabulary import lexicon
from core.language.words import canonical, cut, with_article

_NAMING = (ConditionKind.THING, ConditionKind.COUNT, ConditionKind.ATTRIBUTE)


def describe(clauses: tuple[Clause, ...], remembered: Remembered, keep_scene: bool) -> str:
    """Join the clauses to one phrase; what they leave open comes from the reference."""
    base, others = _choose_base(clauses, remembered)
    looks = [c for c in others if _is_look(c.text)]
    light = [c for c in others if c not in looks and _is_light(c.text)]
    for clause in looks:
        base = _prefix(base, clause.text)
    for clause in others:
        if clause not in looks and clause not in light:
            base = _append(base, clause, joined=bool(remembered.subject))
    if remembered.scene and keep_scene and not _has_scene(base):
        base = _place(base, remembered.scene)
    for clause in light:
        base = _append(base, clause)
    return _name_place(tidy(base))


def _place(base: str, scene: str) -> str:
    """The phrase in its scene; where no thing is named the scene itself is described."""
    if _has_thing(base):
        return f"{base} {place_phrase(scene)}"
    return f"{with_article(scene)} {base}"


def _is_light(text: str) -> bool:
    """Whether a clause speaks of the whole photo's light or style alone."""
    parts = find_parts(text)
    known = lexicon()
    return bool(parts) and all(
        canonical(part.text) in known.light or part.text in known.style for part in parts
    )


def _has_thing(text: str) -> bool:
    return any(
        part.kind in _NAMING and part.text not in lexicon().style for part in find_parts(text)
    )


def _name_place(text: str) -> str:
    """Drop the preposition of "on the beach" where the beach alone is described."""
    parts = find_parts(text)
    first, _, rest = text.partition(" ")
    alone = first in ("on", "in", "at") and len(parts) == 1 and parts[0].kind is ConditionKind.SCENE
    return rest if alone and canonical(parts[0].text) not in lexicon().light else text


def _choose_base(clauses: tuple[Clause, ...], remembered: Remembered) -> tuple[str, list[Clause]]:
    """The phrase that names the subject, and the clauses that join it."""
    for clause in clauses:
        if remembered.pinned and remembered.subject:
            break
        if not clause.added and _names_subject(clause.text, remembered):
            return clause.text, [c for c in clauses if c is not clause]
    if remembered.subject:
        return with_article(remembered.subject), list(clauses)
    for clause in clauses:
        text = re.sub(r"^with ", "", clause.text)
        if not _is_look(text):
            return text, [c for c in clauses if c is not clause]
    return "", list(clauses)


def _names_subject(text: str, remembered: Remembered) -> bool:
    first = (cut(text) or [""])[0]
    known = lexicon()
    starts_inside = first in known.prepositions or first in known.tie or known.is_action(first)
    parts = find_parts(text)
    if starts_inside or not parts or _is_look(text):
        return False
    if not remembered.subject:
        return True
    return parts[0].kind in _NAMING


def _is_look(text: str) -> bool:
    words = [w for w in cut(text) if w not in ("very", "and", "more", "a", "bit", "much")]
    return bool(words) and all(is_adjective(word) for word in words) and text not in lexicon().style


def _prefix(base: str, look: str) -> str:
    """Put a look before the subject's noun: "a dog on grass", "white" → "a white dog on grass"."""
    words = base.split(" ")
    if not base:
        return look
    front = [words[0]] if words[0] in lexicon().articles or words[0] in lexicon().counts else []
    rest = " ".join([look, *words[len(front) :]])
    if front and front[0] in ("a", "an"):
        return with_article(f"{look} x")[:-1] + " ".join(words[1:])
    return " ".join([*front, rest])


def _append(base: str, clause: Clause, joined: bool = False) -> str:
    text = clause.text
    if not base:
        return text
    words = cut(text)
    known = lexicon()
    if not words or words[0] in known.prepositions or known.is_action(words[0]):
        return f"{base} {text}"
    if words[0] in known.tie or words[0] in known.joiners or text in known.style:
        return f"{base} {text}" if text not in known.style else f"{base} in {text}"
    parts = find_parts(text)
    if parts and parts[0].kind is ConditionKind.SCENE:
        return f"{base} {place_phrase(text)}"
    return f"{base} {'with' if joined else 'and'} {text}"


def _has_scene(text: str) -> bool:
    return any(
        part.kind is ConditionKind.SCENE and canonical(part.text) not in lexicon().light
        for part in find_parts(text)
    )


def subjects_of(text: str) -> tuple[Part, ...]:
    """The parts of a phrase that are about a person, an animal or a vehicle."""
    return tuple(part for part in find_parts(text) if is_actor(part))


def drop_excluded(target: str, unwanted: tuple[str, ...]) -> str:
    """The target without any phrase that names an unwanted thing: an exclusion wins."""
    previous = None
    while target != previous:
        previous, target = target, _drop_once(target, unwanted)
    return target


def _drop_once(target: str, unwanted: tuple[str, ...]) -> str:
    articles = "|".join(sorted(lexicon().articles))
    for part in find_parts(target):
        if any(is_kind_of(part.text, bad) for bad in unwanted):
            words = re.escape(part.text)
            target = re.sub(
                rf"(?:\b(?:with|and|or|of|on|in|at|by|near|wearing|holding|carrying) )?"
                rf"(?:\b(?:{articles}) )?\b{words}\b",
                " ",
                target,
                count=1,
            )
    return tidy(target)
