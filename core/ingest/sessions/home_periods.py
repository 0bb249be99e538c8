"""Homes as a person tells them: what the user said, and what was found, by periods."""

from collections.abc import Iterator
from datetime import date, timedelta

from core.domain.decision import HomeSet
from core.domain.home_period import HomePeriod
from core.ingest.sessions.distance import is_farther
from core.ingest.sessions.home import WHOLE_LIBRARY
from core.store.library import Library

_SAME_KM = 20.0


def home_periods(library: Library) -> list[HomePeriod]:
    """The user's words, oldest first (the last one holds where two meet), then what was found."""
    said = [HomePeriod(h.point, h.first, h.last, True) for h in library.decisions.of(HomeSet)]
    return [*said, *_found(library)]


def _found(library: Library) -> Iterator[HomePeriod]:
    """Runs of months with one home; months without one do not end a run."""
    found = dict(sorted(library.homes.found().items()))
    whole = found.pop(WHOLE_LIBRARY, None)
    if whole is not None:
        yield HomePeriod(whole, None, None, False)
    current: HomePeriod | None = None
    for month, point in found.items():
        if current is not None and not is_farther(current.point, point, _SAME_KM):
            current = HomePeriod(current.point, current.first, _last_day(month), False)
            continue
        if current is not None:
            yield current
        current = HomePeriod(point, _first_day(month), _last_day(month), False)
    if current is not None:
        yield current


def _first_day(month: int) -> date:
    """Of a month counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)


def _last_day(month: int) -> date:
    return _first_day(month + 1) - timedelta(days=1)
