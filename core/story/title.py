"""A bundle's title, from facts alone: the brief's subject, the places and the dates."""

from collections.abc import Mapping
from datetime import date, timedelta

from core.domain.moment import MONTHS
from core.domain.session import Session
from core.story.draft import Draft

_EPOCH = date(1970, 1, 1)


def title_of(draft: Draft, sessions: Mapping[int, Session]) -> str:
    """Subject: places, dates; parts that are not known are left out."""
    subject = _as_written(draft.plan.subject.strip(), draft.plan.brief.text)
    heading = subject[:1].upper() + subject[1:]
    facts = ", ".join(part for part in (_places(draft, sessions), _dates(draft)) if part)
    return f"{heading}: {facts}" if heading and facts else heading or facts


def _as_written(subject: str, text: str) -> str:
    """The subject with the capitals that the brief gives it."""
    at = text.lower().find(subject.lower())
    return text[at : at + len(subject)] if at >= 0 else subject


def _places(draft: Draft, sessions: Mapping[int, Session]) -> str:
    numbers = [int(i) for i in draft.pool.session[draft.rows]]
    names = [sessions[i].place.split(",")[0] for i in numbers if i in sessions]
    distinct = list(dict.fromkeys(name for name in names if name))
    match distinct:
        case []:
            return ""
        case [only]:
            return only
        case [one, other]:
            return f"{one} and {other}"
        case [first, *_, last]:
            return f"{first} to {last}"
    return ""


def _dates(draft: Draft) -> str:
    days = draft.pool.day[draft.rows]
    first, last = (_EPOCH + timedelta(days=int(day)) for day in (days.min(), days.max()))
    end = f"{last.day} {MONTHS[last.month - 1]} {last.year}"
    if first == last:
        return end
    if first.year != last.year:
        return f"{first.day} {MONTHS[first.month - 1]} {first.year} to {end}"
    if first.month != last.month:
        return f"{first.day} {MONTHS[first.month - 1]} to {end}"
    return f"{first.day} to {end}"
