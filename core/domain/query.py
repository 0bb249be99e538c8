"""What a person asks for, and how the engine understands it."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NewType

from core.domain.photo import PhotoId
from core.domain.place import GeoPoint

QueryId = NewType("QueryId", str)


class Polarity(StrEnum):
    """Whether a thing must be there or must not; a negative always *names the unwanted thing*."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


class ConditionKind(StrEnum):
    """What a condition speaks of."""

    THING = "thing"
    ATTRIBUTE = "attribute"
    SCENE = "scene"
    ACTION = "action"
    COUNT = "count"
    TIME = "time"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Condition:
    """One checkable part of a query, e.g. ("people", NEGATIVE, THING)."""

    text: str
    polarity: Polarity
    kind: ConditionKind


@dataclass(frozen=True, slots=True)
class ReferencePhoto:
    """The photo that a query starts from: a file, and its id where the library has it."""

    path: Path
    photo_id: PhotoId | None = None


@dataclass(frozen=True, slots=True)
class ComposedQuery:
    """A reference photo (optional) and a modification text."""

    text: str
    reference: ReferencePhoto | None = None


@dataclass(frozen=True, slots=True)
class TimeFilter:
    """When the photos must have been taken; every part given must hold (local dates).

    `months` (1 to 12), `weekdays` (0 Monday) and `hours` (0 to 23) recur; empty means any.
    """

    text: str
    earliest: date | None = None
    latest: date | None = None
    months: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    hours: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PlaceFilter:
    """Where the photos must have been taken: within `radius_km` of any of the points, in the
    country (ISO code), or in any of the regions (name and ISO code of the country).
    """

    text: str
    points: tuple[GeoPoint, ...]
    radius_km: float
    country: str = ""
    regions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Understanding:
    """A query taken apart.

    `target` describes what the wanted photo shows, in one declarative sentence without the
    excluded things, dates and places. `rewrites` are further positive wordings of it or of
    its parts. `several` says whether many photos or one are wanted. `notes` tell what was
    not understood.
    """

    target: str
    conditions: tuple[Condition, ...]
    rewrites: tuple[str, ...] = ()
    when: TimeFilter | None = None
    where: PlaceFilter | None = None
    several: bool = True
    notes: tuple[str, ...] = field(default=())

    @property
    def excluded(self) -> tuple[Condition, ...]:
        """The conditions that name unwanted things."""
        return tuple(c for c in self.conditions if c.polarity is Polarity.NEGATIVE)

    @property
    def required(self) -> tuple[Condition, ...]:
        """The conditions that must hold."""
        return tuple(c for c in self.conditions if c.polarity is Polarity.POSITIVE)
