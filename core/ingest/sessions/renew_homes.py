"""Keeps days, cells and homes right where photos have changed, and says where home is another."""

from collections.abc import Iterable, Iterator, Mapping

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.place import GeoPoint
from core.ingest.sessions.home import (
    WHOLE_LIBRARY,
    WINDOW_DAYS,
    Homes,
    Visits,
    middle_of,
    months_around,
)
from core.ingest.sessions.stretches import Stretch, merged
from core.ingest.sessions.zones import LARGEST_OFFSET
from core.progress import Progress
from core.store.library import Library
from core.store.stale import FOREVER, Changed

_DAY_S = 86_400.0
_EPOCH_DAY = 719_163
"""1970-01-01 as `date.toordinal`."""

_LAST_DAY = 3_652_059
_CHUNK_DAYS = 366


def renew_homes(library: Library, zones: ZoneFinder, progress: Progress) -> None:
    """Look again at the days of photos that have changed, and at the months around them."""
    for first, last in _chunks(library):
        progress.check()
        with library.stale.taking():
            _renew_days(library, zones, first, last)


def _chunks(library: Library) -> Iterator[tuple[int, int]]:
    """Stale days from one to another, inclusive, in parts of about a year."""
    bounds = _bounds(library)
    if bounds is None:
        return
    marks = (mark for mark in library.stale.taken() if mark.what is Changed.PHOTOS)
    reach = LARGEST_OFFSET.total_seconds()
    for stretch in merged(Stretch(m.first, m.last).widened(reach) for m in marks):
        first, last = (int(s // _DAY_S) + _EPOCH_DAY for s in (stretch.first, stretch.last))
        first, last = max(first, bounds[0]), min(last, bounds[1])
        for start in range(first, last + 1, _CHUNK_DAYS):
            yield start, min(start + _CHUNK_DAYS - 1, last)


def _bounds(library: Library) -> tuple[int, int] | None:
    """The days between which all photos and visits lie."""
    days = list(library.homes.days() or ())
    if keys := library.entries.bounds():
        days += [int(keys[0] // _DAY_S) + _EPOCH_DAY - 2, int(keys[1] // _DAY_S) + _EPOCH_DAY + 2]
    return (max(1, min(days)), min(_LAST_DAY, max(days))) if days else None


def _renew_days(library: Library, zones: ZoneFinder, first: int, last: int) -> None:
    """Joins the open transaction."""
    since, until = ((day - _EPOCH_DAY) * _DAY_S for day in (first - 1.5, last + 2.5))
    seen = {v for v in library.entries.visits(since, until) if first <= v.day <= last}
    before = library.homes.visits(first, last)
    if seen == before:
        return
    library.homes.change_visits(before - seen, seen - before)
    _renew_months(library, zones, months_around(visit.day for visit in seen ^ before))


def _renew_months(library: Library, zones: ZoneFinder, months: set[int]) -> None:
    first, last = middle_of(min(months)) - WINDOW_DAYS, middle_of(max(months)) + WINDOW_DAYS
    visits = Visits.of(library.homes.visits(first, last))
    before = library.homes.found()
    found = {month: home for month, home in before.items() if month != WHOLE_LIBRARY}
    for month in months:
        home = visits.home_in(month)
        if home is None:
            found.pop(month, None)
        else:
            found[month] = home
    if not found and (home := Visits.of(library.homes.visits(0, _LAST_DAY)).home()):
        found = {WHOLE_LIBRARY: home}
    if found != before:
        changed = {m for m in before.keys() | found.keys() if before.get(m) != found.get(m)}
        library.homes.keep({month: found.get(month) for month in changed})
        _mark_moves(library, zones, before, found)


def _mark_moves(
    library: Library,
    zones: ZoneFinder,
    before: Mapping[int, GeoPoint],
    after: Mapping[int, GeoPoint],
) -> None:
    """Say where home is now another, and where its zone is."""
    for first, last, old, new in moves(Homes.of(before), Homes.of(after)):
        library.stale.mark(Changed.HOME, first, last)
        if _zone(zones, old) != _zone(zones, new):
            library.stale.mark(Changed.ZONE, first, last)


def _zone(zones: ZoneFinder, home: GeoPoint | None) -> str | None:
    return None if home is None else zones.zone(home)


Move = tuple[float, float, GeoPoint | None, GeoPoint | None]
"""From when to when, in seconds, home was one and is another."""


def moves(before: Homes, after: Homes) -> Iterable[Move]:
    """The months in which home is another now; the first and the last stand for all beyond."""
    months = [month for month in (*before.months, *after.months) if month != WHOLE_LIBRARY]
    first, last = min(months, default=1), max(months, default=1)
    for month in range(first, last + 1):
        old, new = before.around(month), after.around(month)
        if old != new:
            since, until = ((middle_of(month) - _EPOCH_DAY + days) * _DAY_S for days in (-18, 20))
            yield (
                -FOREVER if month == first else since,
                FOREVER if month == last else until,
                old,
                new,
            )
