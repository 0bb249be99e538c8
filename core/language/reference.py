"""Which concepts of the reference photo a change leaves as they are."""

from dataclasses import dataclass

from core.domain.profile import Concept, Profile
from core.domain.query import ConditionKind
from core.language.conditions import EMPTY_NOUNS, Part, find_parts
from core.language.negation import is_kind_of, same_thing
from core.language.vocabulary import lexicon
from core.language.words import bare, canonical

_VAGUE = frozenset({"outdoors", "indoors", "outdoor", "indoor", "outside", "inside", "day"})
_SURE = 0.3
_ACTOR_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the reference shows: phrases for a description; `pinned` when its subject must stay."""

    subject: str = ""
    scene: str = ""
    action: str = ""
    pinned: bool = False


def read_reference(profile: Profile | None, unwanted: tuple[str, ...]) -> Remembered:
    """The surest subject, scene and action of a photo that the text doesn't exclude."""
    if profile is None:
        return Remembered()
    allowed = [
        concept
        for concept in sorted(profile.concepts, key=lambda c: -c.probability)
        if concept.phrase.strip() and not _is_excluded(concept.phrase, unwanted)
    ]
    return Remembered(
        subject=_subject(allowed),
        scene=_first(allowed, ConditionKind.SCENE),
        action=_first(allowed, ConditionKind.ACTION),
    )


def _is_excluded(phrase: str, unwanted: tuple[str, ...]) -> bool:
    parts = find_parts(phrase)
    names = [phrase, *(p.text for p in parts), *(p.head for p in parts), *bare(phrase).split()]
    return any(is_kind_of(name, bad) or same_thing(name, bad) for name in names for bad in unwanted)


def _only_part(phrase: str) -> Part | None:
    parts = find_parts(phrase)
    whole = len(parts) == 1 and parts[0].text == bare(phrase)
    return parts[0] if whole and parts[0].head not in EMPTY_NOUNS | lexicon().style else None


def _first(concepts: list[Concept], kind: ConditionKind) -> str:
    for concept in concepts:
        part = _only_part(concept.phrase)
        if part and part.kind is kind and concept.probability >= _SURE:
            name = canonical(concept.phrase)
            if name not in _VAGUE and name not in lexicon().light:
                return bare(concept.phrase)
    return ""


def _subject(concepts: list[Concept]) -> str:
    """The surest thing; a living or moving one is preferred to what lies about."""
    things = [
        (concept, part)
        for concept in concepts
        if (part := _only_part(concept.phrase))
        and part.kind in (ConditionKind.THING, ConditionKind.ATTRIBUTE, ConditionKind.COUNT)
        and part.head != part.text.split(" ")[0] * (part.kind is ConditionKind.ATTRIBUTE)
    ]
    if not things:
        return ""
    least = _ACTOR_SHARE * things[0][0].probability
    actors = [
        concept
        for concept, part in things
        if is_actor(part) and concept.probability >= max(least, 0.0)
    ]
    best = actors[0] if actors else things[0][0]
    if canonical(best.phrase) == "people":
        best = next((one for one in actors if canonical(one.phrase) != "people"), best)
    return bare(best.phrase) if best.probability > 0 else ""


def is_actor(part: Part) -> bool:
    """Whether a part is about a person, an animal or a vehicle."""
    return any(
        part.head in group or part.text in group or part.head.rpartition(" ")[2] in group
        for group in lexicon().groups.values()
    )
