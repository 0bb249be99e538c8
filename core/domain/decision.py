"""What the user decided by hand: kept apart from what files say, and undone by removal.

A decision holds until it is undone, whatever is indexed again. Photos are named by their ids,
which a photo keeps through moves, renames and new metadata.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from core.domain.photo import PhotoId, PhotoKind
from core.domain.place import GeoPoint
from core.domain.query import QueryId
from core.domain.tag import Tag


@dataclass(frozen=True, slots=True)
class ClockShift:
    """A device's clock was wrong: `shift` is added to what it recorded from `first` to `last`.

    Both are local times as recorded, inclusive; the device is named by its contributor.
    """

    contributor: str
    first: datetime
    last: datetime
    shift: timedelta


@dataclass(frozen=True, slots=True)
class Geotag:
    """Positions given to photos, from a GPS track of that name or (`track` empty) by hand."""

    points: tuple[tuple[PhotoId, GeoPoint], ...]
    track: str = ""


@dataclass(frozen=True, slots=True)
class ContributorSet:
    """These photos were taken by that person or device."""

    photos: tuple[PhotoId, ...]
    contributor: str


@dataclass(frozen=True, slots=True)
class KindSet:
    """These are of that kind, whatever the rules say."""

    photos: tuple[PhotoId, ...]
    kind: PhotoKind


@dataclass(frozen=True, slots=True)
class TitleSet:
    """These photos have that title."""

    photos: tuple[PhotoId, ...]
    title: str


@dataclass(frozen=True, slots=True)
class RatingSet:
    """These photos have that rating, 0 to 5 stars, -1 for rejected."""

    photos: tuple[PhotoId, ...]
    rating: int


@dataclass(frozen=True, slots=True)
class TagsSet:
    """These photos have some tags more, and some less (by kind and levels)."""

    photos: tuple[PhotoId, ...]
    added: tuple[Tag, ...] = ()
    removed: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session begins at this photo."""

    photo: PhotoId


@dataclass(frozen=True, slots=True)
class SessionsJoined:
    """The sessions of these two photos are one."""

    one: PhotoId
    other: PhotoId


@dataclass(frozen=True, slots=True)
class PlaceNamed:
    """The user's own name for a place and what lies within `radius_km` of it."""

    name: str
    point: GeoPoint
    radius_km: float


@dataclass(frozen=True, slots=True)
class PlaceForgotten:
    """The user's own names of this spelling, given until then, hold no more."""

    name: str


@dataclass(frozen=True, slots=True)
class HomeSet:
    """Home was there from `first` to `last` (inclusive); None: since ever, until further notice."""

    point: GeoPoint
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The user's word on photos of an answer; `before` is what held until then (None: nothing)."""

    query_id: QueryId
    before: tuple[tuple[PhotoId, bool | None], ...]


DecisionValue = (
    ClockShift
    | Geotag
    | ContributorSet
    | KindSet
    | TitleSet
    | RatingSet
    | TagsSet
    | SessionStart
    | SessionsJoined
    | PlaceNamed
    | PlaceForgotten
    | HomeSet
    | Judged
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as kept: numbered in the order in which decisions were made."""

    id: int
    value: DecisionValue
    made_at: datetime
