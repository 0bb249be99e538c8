"""Story briefs, roles and bundles."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.answer import TraceEvent
from core.domain.photo import PhotoId
from core.domain.query import PlaceFilter, TimeFilter


class Relation(StrEnum):
    """What binds the photos of a story, which sets its window in time and place."""

    EVENT = "event"
    TRIP = "trip"
    DAY_TO_NIGHT = "day to night"
    RECURRING = "recurring"


@dataclass(frozen=True, slots=True)
class Role:
    """A part that a photo plays: its name, the words that find it, and its place in time order."""

    name: str
    query: str
    position: int
    required: bool = False


@dataclass(frozen=True, slots=True)
class StoryBrief:
    """What a story should tell, and how many photos it may have."""

    text: str
    min_size: int = 3
    max_size: int = 5


@dataclass(frozen=True, slots=True)
class StoryPlan:
    """A brief taken apart: subject, relation, roles in order, and where and when.

    `named` are places that no gazetteer knows; photos' own words may hold them.
    """

    brief: StoryBrief
    subject: str
    relation: Relation
    roles: tuple[Role, ...]
    when: TimeFilter | None = None
    where: PlaceFilter | None = None
    notes: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoledPhoto:
    """A photo in a bundle and the role that it plays."""

    photo_id: PhotoId
    role: str
    fit: float


@dataclass(frozen=True, slots=True)
class Check:
    """One property of a whole bundle, between 0 and 1, and what it says in words."""

    name: str
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """2 to K_max photos that answer a brief together, in order, each with a role."""

    photos: tuple[RoledPhoto, ...]
    title: str
    score: float
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class StoryAnswer:
    """The bundles for a brief, best first, the trace, and the seconds spent a stage."""

    strategy: str
    plan: StoryPlan
    bundles: tuple[Bundle, ...]
    trace: tuple[TraceEvent, ...]
    seconds: dict[str, float]
