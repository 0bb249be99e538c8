"""What a decision changes: what searches filter by, sessions, and what screens show."""

from core.domain.change import LibraryChange
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
    SessionsJoined,
    SessionStart,
)

MOVES_SESSIONS = (
    ClockShift,
    Geotag,
    ContributorSet,
    PlaceNamed,
    PlaceForgotten,
    SessionStart,
    SessionsJoined,
    HomeSet,
)
"""Decisions after which sessions or trips may be others, or have other names."""

MOVES_COLUMNS = (ClockShift, Geotag, ContributorSet, KindSet, PlaceNamed, PlaceForgotten)
"""Decisions after which searches must read the metadata again that they filter by."""


def change_of(value: DecisionValue) -> LibraryChange:
    """What screens should show again after a decision was made or taken back."""
    match value:
        case Judged():
            return LibraryChange.JUDGEMENTS
        case SessionStart() | SessionsJoined() | HomeSet():
            return LibraryChange.SESSIONS
        case ClockShift() | Geotag() | ContributorSet() | PlaceNamed() | PlaceForgotten():
            return LibraryChange.PHOTOS | LibraryChange.SESSIONS
        case _:
            return LibraryChange.PHOTOS
