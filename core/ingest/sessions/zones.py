"""Time zones of places, and one order between absolute and naive capture times.

Order of a naive time: the zone of its own position, else that of the same device's nearest
neighbour in time (at most three days away), else that of home, else UTC, for order alone.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.domain.moment import KEPT_IN_UTC, CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoId
from core.store.photos import TimelineEntry

NEIGHBOUR = timedelta(days=3)
"""How far neighbours reach."""

LARGEST_OFFSET = timedelta(days=1)
"""More than local time ever differs from UTC."""

_EPOCH = datetime(1970, 1, 1)


def with_zone(taken: CaptureTime | None, zone: str | None) -> CaptureTime | None:
    """The time with the zone of its place; a time kept in UTC becomes the local time there."""
    known = zone_of(zone)
    if taken is None or known is None:
        return taken
    if taken.source in KEPT_IN_UTC and taken.absolute is not None:
        local = taken.absolute.astimezone(known)
        offset = local.utcoffset()
        return replace(taken, local=local.replace(tzinfo=None), offset=offset, zone=zone)
    return taken if taken.offset is not None else replace(taken, zone=zone)


def zone_of(name: str | None) -> ZoneInfo | None:
    """The zone of that name, None where this computer does not know it."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


def order_key(taken: CaptureTime | None, otherwise: tzinfo = UTC) -> float | None:
    """Seconds since 1970 UTC; `otherwise` is the zone of naive times, days count as their noon."""
    if taken is None:
        return None
    local = taken.local
    if taken.precision is Precision.DAY:
        local = local.replace(hour=12, minute=0, second=0, microsecond=0)
    offset = taken.offset
    if offset is None:
        offset = local.replace(tzinfo=zone_of(taken.zone) or otherwise).utcoffset()
    return (local - _EPOCH - (offset or timedelta(0))).total_seconds()


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A photo of a device whose offset from UTC is known."""

    local: datetime
    content_hash: str
    offset: timedelta


def corrected_order_keys(
    entries: Iterable[TimelineEntry],
    neighbours: Iterable[TimelineEntry],
    home_at: Callable[[datetime], tzinfo | None],
) -> dict[PhotoId, float]:
    """New order keys of the naive times among the entries, where they change by the neighbours
    whose offset is known, or by the zone of home at that local time (None: not known)."""
    anchors: dict[str, list[_Anchor]] = {}
    for entry in neighbours:
        anchor = _anchor(entry)
        if anchor is not None:
            anchors.setdefault(entry.contributor, []).append(anchor)
    for device in anchors.values():
        device.sort(key=lambda a: (a.local, a.content_hash))
    corrected = {}
    for entry in entries:
        key = _corrected(entry, anchors.get(entry.contributor, []), home_at)
        if key is not None and key != entry.order_key:
            corrected[entry.photo_id] = key
    return corrected


def _anchor(entry: TimelineEntry) -> _Anchor | None:
    taken = entry.taken
    if taken is None or taken.source is ClockSource.FILE_TIME:
        return None
    if taken.offset is not None:
        return _Anchor(taken.local, entry.content_hash, taken.offset)
    zone = zone_of(taken.zone)
    offset = None if zone is None else taken.local.replace(tzinfo=zone).utcoffset()
    return None if offset is None else _Anchor(taken.local, entry.content_hash, offset)


def _corrected(
    entry: TimelineEntry, device: list[_Anchor], home_at: Callable[[datetime], tzinfo | None]
) -> float | None:
    taken = entry.taken
    if taken is None or taken.offset is not None or zone_of(taken.zone) is not None:
        return order_key(taken)
    at = bisect_left(device, taken.local, key=lambda a: a.local)
    near = [a for a in device[max(0, at - 1) : at + 1] if abs(a.local - taken.local) <= NEIGHBOUR]
    if not near:
        return order_key(taken, home_at(taken.local) or UTC)
    nearest = min(near, key=lambda a: abs(a.local - taken.local))
    return order_key(replace(taken, offset=nearest.offset))
