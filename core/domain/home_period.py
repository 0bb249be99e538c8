"""Where home was, and from when to when."""

from dataclasses import dataclass
from datetime import date

from core.domain.place import GeoPoint


@dataclass(frozen=True, slots=True)
class HomePeriod:
    """Home from `first` to `last` (inclusive; None: since ever, until now).

    `by_hand` says that the user said so; else it was found from photos, by whole months.
    """

    point: GeoPoint
    first: date | None
    last: date | None
    by_hand: bool
