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
from core.language.places import find_where
from core.language.relation import find_relation, without_relation
from core.language.roles import kind_of_event, listed_roles, split_list, usual_roles
from core.language.translate import to_english
from core.language.wordings import pattern
from core.language.words import bare
from core.protocols import Gazetteer


def plan_story(brief: StoryBrief, today: date, gazetteer: Gazetteer) -> StoryPlan:
    """Plan a story by rules; nothing is in it that the brief or its kind of story doesn't say."""
    english = to_english(clean(brief.text))
    asked = strip_story_lead(english.text)
    when = find_when(asked, today)
    where = find_where(when.rest, gazetteer, capitals=english.capitals_name)
    text = settle_idioms(where.rest.lower())
    whole = asked.lower()
    before, items = split_list(text)
    kind = kind_of_event(whole)
    relation = find_relation(whole, where.filter is not None, bool(kind))
    subject = _subject(before)
    roles = (
        listed_roles(items, subject, brief.max_size)
        if items
        else usual_roles(relation, kind, subject, brief.max_size)
    )
    kept, left_out = _without_excluded(roles, find_exclusions(text).unwanted)
    return StoryPlan(
        brief=brief,
        subject=subject or (tidy(bare(text)) if not items else ""),
        relation=relation,
        roles=kept,
        when=_with_season(when.filter, whole, relation),
        where=where.filter,
        notes=(*english.notes, *when.notes, *where.notes, *left_out, *_too_many(items, brief)),
    )


def _subject(text: str) -> str:
    """What the story is about, without owners, exclusions and the words that bind it."""
    wanted = find_exclusions(without_relation(text)).rest
    return tidy(re.sub(r"^(?:[\w-]+'s |(?:our|my|the|a|an|his|her|their|last|this) )+", "", wanted))


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
