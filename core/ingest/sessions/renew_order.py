"""Keeps the order of naive times right where their neighbours or the zone of home have changed."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.place import GeoPoint
from core.ingest.sessions.home import Homes
from core.ingest.sessions.stretches import Stretch, merged
from core.ingest.sessions.zones import LARGEST_OFFSET, NEIGHBOUR, corrected_order_keys, zone_of
from core.progress import Progress
from core.store.library import Library
from core.store.photos import TimelineEntry
from core.store.stale import Changed

_OFFSET_S = 2 * LARGEST_OFFSET.total_seconds()
_REACH_S = NEIGHBOUR.total_seconds() + _OFFSET_S
"""Two photos whose local times are neighbours may be as far apart in the order of the library."""

_CHUNK = 2000
_CHUNK_S = 40 * 86_400.0


def renew_order(library: Library, homes: Homes, zones: ZoneFinder, progress: Progress) -> None:
    """Correct the order keys of naive times; what is moved counts as changed."""
    home_at = zone_teller(homes, zones)
    for stretch in _stretches(library):
        for chunk in _chunks(library.entries.between(stretch.first, stretch.last, naive=True)):
            progress.check()
            with library.stale.taking():
                _correct(library, chunk, home_at)


def _stretches(library: Library) -> list[Stretch]:
    reach = {Changed.PHOTOS: _REACH_S, Changed.ZONE: _OFFSET_S}
    return merged(
        Stretch(mark.first, mark.last).widened(reach[mark.what])
        for mark in library.stale.taken()
        if mark.what in reach
    )


def _chunks(entries: Iterator[TimelineEntry]) -> Iterator[list[TimelineEntry]]:
    """Entries in parts that are short, and few."""
    chunk: list[TimelineEntry] = []
    for entry in entries:
        if chunk and (len(chunk) == _CHUNK or _key(entry) - _key(chunk[0]) > _CHUNK_S):
            yield chunk
            chunk = []
        chunk.append(entry)
    if chunk:
        yield chunk


def _key(entry: TimelineEntry) -> float:
    assert entry.order_key is not None
    return entry.order_key


def _correct(
    library: Library,
    entries: Sequence[TimelineEntry],
    home_at: Callable[[datetime], tzinfo | None],
) -> None:
    around = Stretch(_key(entries[0]), _key(entries[-1])).widened(_REACH_S)
    who = sorted({entry.contributor for entry in entries})
    neighbours = library.entries.anchors(who, around.first, around.last)
    keys = corrected_order_keys(entries, neighbours, home_at)
    if keys:
        library.photos.set_order_keys(keys)


def zone_teller(homes: Homes, zones: ZoneFinder) -> Callable[[datetime], tzinfo | None]:
    """The zone of home at a local time, None where either is not known."""
    known: dict[GeoPoint, tzinfo | None] = {}

    def home_at(local: datetime) -> tzinfo | None:
        home = homes.at(local)
        if home is None:
            return None
        if home not in known:
            known[home] = zone_of(zones.zone(home))
        return known[home]

    return home_at
