"""Take a story brief apart: its subject, what binds it, its roles, when and where."""

import re
from dataclasses import replace
from datetime import date

from core.domain.query import TimeFilter
from core.domain.story import Relation, Role, StoryBrief, StoryPlan
from core.language.clean import clean, tidy
from core.language.conditions import find_parts
from core.language.dates import find_when
from core.language.exclusions import find_exclusions
from core.language.lead import strip_story_lead
from core.language.negation import is_kind_of, settle_idioms
from core.language.periods import season_months
from core.language.places import find_where, is_everyday
from core.language.relation import find_relation, without_relation
from core.language.roles import kind_of_event, listed_roles, split_list, usual_roles
from core.language.translate import to_english
from core.language.wordings import pattern, word_set
from core.language.words import bare
from core.protocols import Gazetteer

_LONGEST_NAME = 4


def plan_story(brief: StoryBrief, today: date, gazetteer: Gazetteer) -> StoryPlan:
    """Plan a story by rules; nothing is in it that the brief or its kind of story doesn't say."""
    english = to_english(clean(brief.text))
    asked = strip_story_lead(english.text)
    when = find_when(asked, today)
    where = find_where(when.rest, gazetteer, capitals=english.capitals_name)
    named = where.unknown or _bare_name(where.rest)
    text = settle_idioms(_without_names(where.rest, named).lower())
    whole = asked.lower()
    placed = where.filter is not None or bool(named)
    before, items = split_list(text)
    kind = kind_of_event(whole)
    relation = find_relation(whole, placed, bool(kind))
    subject = _subject(before)
    roles = (
        listed_roles(items, subject, brief.max_size)
        if items
        else usual_roles(relation, kind, subject, brief.max_size)
    )
    kept, left_out = _without_excluded(roles, find_exclusions(text).unwanted)
    return StoryPlan(
        brief=brief,
        subject=subject or ("" if items else _subject(bare(text))),
        relation=relation,
        roles=kept,
        when=_with_season(when.filter, whole, relation) or _new_year(when.filter, whole),
        where=where.filter,
        notes=(*english.notes, *when.notes, *where.notes, *left_out, *_too_many(items, brief)),
        named=named,
    )


def _bare_name(text: str) -> tuple[str, ...]:
    """A brief that is nothing but a name: "Yosemite"."""
    words = text.strip(" .!?").split()
    plain = len(words) > _LONGEST_NAME or any(is_everyday(word.lower()) for word in words)
    named = bool(words) and not plain and all(word[0].isupper() for word in words)
    return (" ".join(words),) if named else ()


def _without_names(text: str, names: tuple[str, ...]) -> str:
    """The text without names of places, and without what leads to them."""
    for name in names:
        lead = r"(?:\b(?:in|at|on|near|around|to|through|from|of|visiting) )?(?:the )?"
        text = re.sub(rf"{lead}\b{re.escape(name)}\b(?:'s)?", " ", text, flags=re.I)
    return " ".join(text.split())


def _subject(text: str) -> str:
    """What the story is about, without owners, exclusions and the words that bind it."""
    wanted = find_exclusions(without_relation(text)).rest
    owned = r"^(?:[\w-]+'s |(?:our|my|the|a|an|his|her|their|last|this) )+"
    subject = tidy(re.sub(owned, "", wanted))
    return "" if subject in word_set("list", "spans") else subject


def _new_year(when: TimeFilter | None, text: str) -> TimeFilter | None:
    """Let "New Year" without a year keep to its two months."""
    named = pattern("relation", "new_year").search(text)
    if when is not None or named is None:
        return when
    return replace(TimeFilter(named[0]), months=frozenset({12, 1}))


def _without_excluded(
    roles: tuple[Role, ...], unwanted: tuple[str, ...]
) -> tuple[tuple[Role, ...], tuple[str, ...]]:
    """The roles that don't need what the brief excludes, and a note on the others."""
    kept = tuple(
        role
        for role in roles
        if not any(is_kind_of(p.text, bad) for p in find_parts(role.query) for bad in unwanted)
    )
    notes = tuple(f"Without {name}: roles that show them are left out." for name in unwanted)
    return (kept, notes) if kept else (roles, notes)


def _too_many(items: tuple[str, ...], brief: StoryBrief) -> tuple[str, ...]:
    if len(items) <= brief.max_size:
        return ()
    return (f"The brief lists {len(items)} parts; {brief.max_size} photos can't show all.",)


def _with_season(when: TimeFilter | None, text: str, relation: Relation) -> TimeFilter | None:
    """Let "every summer" keep to the months of summer, where the brief gives no other time."""
    named = pattern("relation", "season").search(text)
    if when is not None or relation is not Relation.RECURRING or named is None:
        return when
    season = named["season"]
    months = frozenset({12}) if season == "christmas" else season_months(season)
    return replace(TimeFilter(named[0]), months=months)
