"""What the library shows of a photo: what its files say, and over it what the user decided.

Decisions hold in the order in which they were made. Place, zone and order follow from the
position and the time that come out; of the user's own names for places around a position the
one with the smallest radius holds, the newest of equal ones.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    TagsSet,
    TitleSet,
)
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoFacts, PhotoId, PointSource
from core.domain.place import GeoPoint, PlaceName
from core.domain.tag import Tag, TagSource
from core.ingest.facts import name_places
from core.ingest.sessions.distance import distance_km, is_farther
from core.ingest.sessions.zones import order_key, with_zone
from core.protocols import Gazetteer

BY_HAND = "by hand"
"""The reason of a kind that the user chose."""

_NOT_THE_CAMERAS = (ClockSource.FILE_TIME, ClockSource.GPS)
"""Clocks that are not the device's own: shifting that one does not change them."""

_NOON = timedelta(hours=12)
_OfPhotos = ContributorSet | KindSet | TitleSet | RatingSet | TagsSet
_Change = _OfPhotos | Geotag | ClockShift


@dataclass(frozen=True, slots=True)
class World:
    """What is known of positions: the names of places, and zones."""

    gazetteer: Gazetteer
    zones: ZoneFinder


@dataclass(frozen=True, slots=True)
class Standing:
    """Decisions ready to be applied to many photos: numbered in their order.

    `of_photo` holds those that name a photo, narrowed to it where they hold a value for each.
    """

    of_photo: dict[PhotoId, list[tuple[int, _Change]]]
    shifts: tuple[tuple[int, ClockShift], ...]
    names: tuple[PlaceNamed, ...]

    @classmethod
    def of(
        cls, decisions: Sequence[DecisionValue], only: Collection[PhotoId] | None = None
    ) -> "Standing":
        """The decisions among these that change what is shown of photos (of `only` some)."""
        named: dict[PhotoId, list[tuple[int, _Change]]] = {}
        shifts = []
        for number, value in enumerate(decisions):
            if isinstance(value, ClockShift):
                shifts.append((number, value))
            for photo_id, change in _changes(value, only):
                named.setdefault(photo_id, []).append((number, change))
        return cls(named, tuple(shifts), standing_names(decisions))

    def changes(self, photo_id: PhotoId | None) -> list[_Change]:
        """What may change a photo, in order; None is one that has no id yet."""
        named = self.of_photo.get(photo_id, []) if photo_id is not None else []
        both = [*named, *self.shifts]
        return [change for _, change in sorted(both, key=lambda pair: pair[0])]

    def name_of(self, point: GeoPoint) -> PlaceNamed | None:
        """The user's own name for where that is."""
        return next((n for n in self.names if not is_farther(n.point, point, n.radius_km)), None)


def standing_names(decisions: Sequence[DecisionValue]) -> tuple[PlaceNamed, ...]:
    """The user's own names that hold, smallest radius first, newest of equal ones first."""
    names: list[PlaceNamed] = []
    for value in decisions:
        if isinstance(value, PlaceNamed):
            names.insert(0, value)
        elif isinstance(value, PlaceForgotten):
            names = [name for name in names if name.name != value.name]
    return tuple(sorted(names, key=lambda name: name.radius_km))


def _changes(
    value: DecisionValue, only: Collection[PhotoId] | None
) -> Iterator[tuple[PhotoId, _Change]]:
    if isinstance(value, _OfPhotos):
        ids = (i for i in value.photos if only is None or i in only)
        yield from ((photo_id, value) for photo_id in ids)
    elif isinstance(value, Geotag):
        for photo_id, point in value.points:
            if only is None or photo_id in only:
                yield photo_id, Geotag(((photo_id, point),), value.track)


def corrected(
    photo_id: PhotoId | None, recorded: PhotoFacts, standing: Standing, world: World
) -> PhotoFacts:
    """The facts to show of a photo; `recorded` itself where no decision changes them."""
    facts = recorded
    for change in standing.changes(photo_id):
        facts = _changed(facts, change)
    facts = _placed(facts, recorded, world)
    own = standing.name_of(facts.point) if facts.point is not None else None
    if own is not None and facts.point is not None:
        facts = replace(facts, place=own_place(facts.place, own, facts.point))
    return recorded if facts == recorded else facts


def _changed(facts: PhotoFacts, change: _Change) -> PhotoFacts:
    match change:
        case ContributorSet(_, contributor):
            return replace(facts, contributor=contributor)
        case KindSet(_, kind):
            return replace(facts, kind=kind, kind_reason=BY_HAND)
        case TitleSet(_, title):
            return replace(facts, title=title)
        case RatingSet(_, rating):
            return replace(facts, rating=rating)
        case TagsSet():
            return replace(facts, tags=_tagged(facts.tags, change))
        case Geotag(points, track):
            source = PointSource.TRACK if track else PointSource.HAND
            return replace(facts, point=points[-1][1], point_source=source, gps_problem="")
        case ClockShift():
            return _shifted(facts, change)


def _tagged(tags: Sequence[Tag], change: TagsSet) -> tuple[Tag, ...]:
    """Some less, by kind and levels whoever says so; some more, said by hand."""
    less = {(tag.kind, tag.levels) for tag in change.removed}
    kept = [tag for tag in tags if (tag.kind, tag.levels) not in less]
    there = {(tag.kind, tag.levels) for tag in kept}
    for tag in change.added:
        if (tag.kind, tag.levels) not in there:
            there.add((tag.kind, tag.levels))
            kept.append(replace(tag, source=TagSource.HAND))
    return tuple(kept)


def _shifted(facts: PhotoFacts, change: ClockShift) -> PhotoFacts:
    taken = facts.taken
    if taken is None or taken.source in _NOT_THE_CAMERAS:
        return facts
    if facts.contributor != change.contributor:
        return facts
    if not change.first <= recorded_local(taken) <= change.last:
        return facts
    correction = taken.correction + change.shift
    local = recorded_local(taken) + correction
    if taken.precision is Precision.DAY:  # a day is known by its noon
        noon = recorded_local(taken).replace(hour=0, minute=0, second=0, microsecond=0) + _NOON
        local = (noon + correction).replace(hour=0, minute=0, second=0, microsecond=0)
        # what is added are whole days, so that the recorded day can be told again
        correction = local - recorded_local(taken)
    return replace(facts, taken=replace(taken, local=local, correction=correction))


def recorded_local(taken: CaptureTime) -> datetime:
    """The local time that was recorded, before any correction."""
    return taken.local - taken.correction


def _placed(facts: PhotoFacts, recorded: PhotoFacts, world: World) -> PhotoFacts:
    """Zone, order and place again, where position or time are no longer those recorded."""
    taken, place = facts.taken, facts.place
    if facts.point is not None and facts.point != recorded.point:
        taken = _in_zone(taken, world.zones.zone(facts.point))
        place = name_places([facts.point], world.gazetteer).get(facts.point)
    order = recorded.order_key if taken == recorded.taken else order_key(taken)
    return replace(facts, taken=taken, place=place, order_key=order)


def _in_zone(taken: CaptureTime | None, zone: str | None) -> CaptureTime | None:
    """The zone of another position; at sea none, rather than that of before."""
    if taken is not None and zone is None and taken.zone is not None and taken.offset is None:
        return replace(taken, zone=None)
    return with_zone(taken, zone)


def own_place(place: PlaceName | None, own: PlaceNamed, point: GeoPoint) -> PlaceName:
    """The user's own name as a part of the place that the gazetteer names."""
    away = distance_km(own.point, point)
    if place is None:
        return PlaceName(own.name, "", "", away, own.point, own=True)
    return replace(place, locality=own.name, distance_km=away, point=own.point, own=True)
