"""Whether a decision can be carried out, and its words made harmless; raises InputError."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    HomeSet,
    Judged,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    SessionsJoined,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.tag import Tag
from core.errors import InputError, NotInLibrary
from core.ingest.decisions.corrections import standing_names
from core.ingest.metadata.text import clean_text
from core.store.library import Library
from core.store.reach import facts_of, known_ids, recorded_times

LONGEST_SHIFT = timedelta(days=150 * 366)
LARGEST_RADIUS_KM = 500.0
_LONGEST_NAME = 80
_CLOCK_AHEAD = timedelta(hours=26)
_FIRST_YEAR = 1826
_OfPhotos = ContributorSet | KindSet | TitleSet | RatingSet | TagsSet


def check_decision(library: Library, value: DecisionValue) -> DecisionValue:
    """The decision with clean words; raises InputError, NotInLibrary."""
    if isinstance(value, _OfPhotos):
        _check_known(library, value.photos)
        return _check_words(value)
    match value:
        case Geotag(points):
            _check_known(library, [photo_id for photo_id, _ in points])
            for _, point in points:
                check_point(point)
        case ClockShift():
            _check_shift(library, value)
        case SessionStart(photo):
            _check_dated(library, [photo])
        case SessionsJoined(one, other):
            _check_dated(library, [one, other])
        case PlaceNamed():
            return _check_place(value)
        case PlaceForgotten(name):
            _check_own_name(library, name)
        case HomeSet():
            _check_home(value)
        case Judged(query_id):
            library.judgements.query(query_id)
    return value


def _check_words(value: _OfPhotos) -> _OfPhotos:
    match value:
        case ContributorSet(_, contributor):
            return replace(value, contributor=_name(contributor, "contributor"))
        case TitleSet(_, title):
            return replace(value, title=clean_text(title))
        case TagsSet():
            return _check_tags(value)
        case RatingSet(_, rating):
            check_rating(rating)
    return value


def check_rating(rating: int) -> None:
    """Raises InputError for what is no rating."""
    if not -1 <= rating <= 5:
        raise InputError(
            f"{rating} is no rating.", "Give 0 to 5 stars, or -1 for a rejected photo."
        )


def is_point(point: GeoPoint) -> bool:
    """Whether a position is on the globe."""
    numbers = math.isfinite(point.latitude) and math.isfinite(point.longitude)
    return numbers and abs(point.latitude) <= 90 and abs(point.longitude) <= 180


def check_point(point: GeoPoint) -> None:
    """Raises InputError for what is no position on the globe."""
    if not math.isfinite(point.latitude) or abs(point.latitude) > 90:
        raise InputError(
            f"There is no latitude {point.latitude:g}.",
            "It is between -90 (south) and 90; latitude comes first, then longitude.",
        )
    if not math.isfinite(point.longitude) or abs(point.longitude) > 180:
        raise InputError(
            f"There is no longitude {point.longitude:g}.", "It is between -180 (west) and 180."
        )


def _check_known(library: Library, ids: Sequence[PhotoId]) -> None:
    if not ids:
        raise InputError("No photo was chosen.", "Name at least one.")
    known = known_ids(library.database, ids)
    for photo_id in ids:
        if photo_id not in known:
            raise NotInLibrary(f"No photo {photo_id} in this library.", "Search again.")


def _check_dated(library: Library, ids: Sequence[PhotoId]) -> None:
    _check_known(library, ids)
    if any(facts.taken is None for facts in facts_of(library.database, ids).values()):
        raise InputError(
            "A photo without a date is in no session.", "Choose a photo that has a date."
        )


def _name(text: str, what: str) -> str:
    name = clean_text(text, _LONGEST_NAME)
    if not name:
        raise InputError(f"A {what} needs a name.", "Give at least one letter.")
    return name


def _check_tags(value: TagsSet) -> TagsSet:
    if not value.added and not value.removed:
        raise InputError("No tag was named.", "Name one to add or to remove.")
    return replace(value, added=tuple(_clean_tag(tag) for tag in value.added))


def _clean_tag(tag: Tag) -> Tag:
    levels = tag.levels or ("",)
    return replace(tag, levels=tuple(_name(level, "tag") for level in levels))


def _check_shift(library: Library, value: ClockShift) -> None:
    if value.first > value.last:
        raise InputError("The range ends before it begins.", "Swap its two times.")
    if not value.shift or abs(value.shift) > LONGEST_SHIFT:
        raise InputError(
            f"A clock cannot be corrected by {value.shift}.",
            "Give what must be added to what the camera recorded, e.g. +01:00 or -365d.",
        )
    times = recorded_times(library.database, value.contributor, value.first, value.last)
    if not times:
        raise NotInLibrary(
            f"“{value.contributor}” took no photo at that time.",
            "`photoapp clock` lists who took photos, and when by their own clocks.",
        )
    _check_shifted(min(times.values()), max(times.values()), value.shift)


def _check_shifted(earliest: datetime, latest: datetime, shift: timedelta) -> None:
    """Photos can lie neither in the future nor before photography."""
    try:
        begin, end = earliest + shift, latest + shift
    except OverflowError:
        begin, end = datetime.min, datetime.min
    if end > datetime.now(UTC).replace(tzinfo=None) + _CLOCK_AHEAD or begin.year < _FIRST_YEAR:
        raise InputError(
            "With that correction photos would lie in the future or before photography.",
            "Turn its sign, or name a shorter range.",
        )


def _check_place(value: PlaceNamed) -> PlaceNamed:
    check_point(value.point)
    if not 0 < value.radius_km <= LARGEST_RADIUS_KM:
        raise InputError(
            f"A place cannot have a radius of {value.radius_km:g} km.",
            f"Give more than 0 and at most {LARGEST_RADIUS_KM:g} km.",
        )
    return replace(value, name=_name(value.name, "place"))


def _check_own_name(library: Library, name: str) -> None:
    names = library.decisions.of(PlaceNamed, PlaceForgotten)
    if name not in {own.name for own in standing_names(names)}:
        raise NotInLibrary(
            f"You have named no place “{name}”.", "`photoapp places list` lists your names."
        )


def _check_home(value: HomeSet) -> None:
    check_point(value.point)
    if value.first is not None and value.last is not None and value.first > value.last:
        raise InputError("The time at that home ends before it begins.", "Swap its two dates.")
