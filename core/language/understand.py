"""Take a query apart: what must be shown, what must not, when, where, one or several.

Light, season and style words ("at night", "in winter", "in black and white") are conditions on
what the photo shows. They become filters on its date and hour only where the text speaks of
the taking ("taken in the morning") or gives a year ("winter 2019"): clocks are often wrong and
winters differ by hemisphere, and a filter must not lose a right answer.
The target is in lower case, as the text encoders read it.
"""

from dataclasses import replace
from datetime import date

from core.domain.profile import Profile
from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.language.clean import clean
from core.language.conditions import Part, constraint_sentence, find_parts
from core.language.dates import find_when
from core.language.decompose import Clause, cut_clauses, state_plainly
from core.language.exclusions import Exclusions, find_exclusions
from core.language.keep import Kept, resolve_pointers
from core.language.lead import strip_lead
from core.language.negation import is_kind_of, settle_idioms
from core.language.places import find_where
from core.language.reference import Remembered, read_reference
from core.language.target import describe, drop_excluded, subjects_of
from core.language.translate import to_english
from core.language.vocabulary import is_scene, lexicon
from core.language.words import canonical, with_article
from core.protocols import Gazetteer

_ANYTHING = "a photo"
_MOST_REWRITES = 4


def understand(
    text: str, today: date, gazetteer: Gazetteer, reference: Profile | None = None
) -> Understanding:
    """Read a query by rules; never raises, whatever the text.

    `today` gives "last summer" its year. Words that the rules couldn't use are told in `notes`.
    """
    english = to_english(clean(text))
    lead = strip_lead(english.text)
    when = find_when(lead.text, today)
    where = find_where(when.rest, gazetteer, capitals=english.capitals_name)
    kept = resolve_pointers(state_plainly(settle_idioms(where.rest.lower())), reference is not None)
    excluded = find_exclusions(kept.text)
    unwanted, notes = _settle_unwanted(excluded)
    target = _target(excluded, kept, reference, unwanted)
    conditions = _conditions(target, unwanted)
    return Understanding(
        target=target or _ANYTHING,
        conditions=conditions,
        rewrites=_rewrites(target, conditions),
        when=when.filter,
        where=where.filter,
        several=lead.several,
        notes=(*english.notes, *when.notes, *where.notes, *notes),
    )


def _settle_unwanted(excluded: Exclusions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The unwanted things; of a thing that is wanted too, only further ones are unwanted."""
    wanted = subjects_of(_with_empty_scenes(excluded.rest)[0])
    named = (*excluded.unwanted, *excluded.replaced)
    settled: list[str] = []
    notes: list[str] = []
    for name in dict.fromkeys((*named, *_with_empty_scenes(excluded.rest)[1])):
        thing = name.removeprefix("other ").removeprefix("more ").removeprefix("else ")
        if any(_clashes(part, thing, name) for part in wanted):
            group = "people" if is_kind_of(thing, "people") else thing
            settled.append(f"group of {group}")
            notes.append(f"“{thing}” is asked for and excluded: only a group is left out.")
        else:
            settled.append(thing)
    return tuple(dict.fromkeys(settled)), tuple(notes)


def _clashes(wanted: Part, thing: str, name: str) -> bool:
    """Whether excluding a thing would exclude what is wanted, though the words allow both."""
    if wanted.kind is ConditionKind.COUNT and is_kind_of(wanted.head, thing):
        return True
    narrower = canonical(wanted.text) != canonical(thing) and is_kind_of(wanted.head, thing)
    return narrower or (name != thing and is_kind_of(wanted.head, thing))


def _with_empty_scenes(text: str) -> tuple[str, tuple[str, ...]]:
    """The text, and the people that "an empty street" excludes; the street stays wanted."""
    for part in find_parts(text):
        words = part.text.split(" ")
        lonely = {"empty", "deserted", "lonely", "abandoned"} & set(words)
        if lonely and is_scene(canonical(words[-1])):
            return text, ("people",)
    return text, ()


def _target(
    excluded: Exclusions, kept: Kept, reference: Profile | None, unwanted: tuple[str, ...]
) -> str:
    clauses = cut_clauses(excluded.rest)
    remembered = _left_alone(read_reference(reference, unwanted), reference, unwanted, clauses)
    changed = bool(excluded.unwanted or excluded.replaced)
    keep_scene = kept.scene or kept.whole or _is_change(clauses, remembered, changed)
    if kept.scene and not kept.subject and not any(subjects_of(c.text) for c in clauses):
        remembered = Remembered(subject="", scene=remembered.scene)
    elif kept.subject:
        remembered = replace(remembered, pinned=True)
    return drop_excluded(_with_action(clauses, remembered, keep_scene), unwanted)


def _left_alone(
    remembered: Remembered,
    reference: Profile | None,
    unwanted: tuple[str, ...],
    clauses: tuple[Clause, ...],
) -> Remembered:
    """What stays of the reference; a subject that is replaced makes room for the new one."""
    old = read_reference(reference, ()).subject
    replaced = old != remembered.subject and any(subjects_of(c.text) for c in clauses)
    return Remembered("", remembered.scene, "") if replaced and unwanted else remembered


def _with_action(clauses: tuple[Clause, ...], remembered: Remembered, keep_scene: bool) -> str:
    """A photo that is only cut or relit keeps what is done in it, too."""
    parts = [part for clause in clauses for part in find_parts(clause.text)]
    if remembered.action and remembered.subject and all(_is_light(part) for part in parts):
        clauses = (Clause(f"{with_article(remembered.subject)} {remembered.action}"), *clauses)
    return describe(clauses, remembered, keep_scene)


def _is_light(part: Part) -> bool:
    return canonical(part.text) in lexicon().light or part.text in lexicon().style


def _is_change(clauses: tuple[Clause, ...], remembered: Remembered, changed: bool) -> bool:
    """Whether the text changes the reference, rather than describing another photo."""
    named = [part for clause in clauses if not clause.added for part in subjects_of(clause.text)]
    kin = any(is_kind_of(part.head, remembered.subject) for part in named)
    return changed or kin or not named


def _conditions(target: str, unwanted: tuple[str, ...]) -> tuple[Condition, ...]:
    excluded = {canonical(name) for name in unwanted}
    wanted = [
        Condition(part.text, Polarity.POSITIVE, part.kind)
        for part in find_parts(target)
        if canonical(part.text) not in excluded
    ]
    return tuple(dict.fromkeys([*wanted, *(_negative(name) for name in unwanted)]))


def _negative(name: str) -> Condition:
    parts = find_parts(name)
    kind = parts[0].kind if parts else ConditionKind.THING
    return Condition(name, Polarity.NEGATIVE, kind)


def _rewrites(target: str, conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    """The sentence of all constraints first, then each condition alone."""
    wanted = [c for c in conditions if c.polarity is Polarity.POSITIVE]
    singles = [constraint_sentence((condition,)) for condition in wanted]
    options = [constraint_sentence(tuple(wanted)), *singles, *(c.text for c in wanted)]
    return tuple(dict.fromkeys(o for o in options if o and o != target))[:_MOST_REWRITES]
