"""What the tests of understanding share: a day, a small gazetteer and two reference photos."""

from collections.abc import Callable, Sequence
from datetime import date

import pytest

from core.domain.photo import PhotoId
from core.domain.place import GeoPoint, PlaceName
from core.domain.profile import Concept, Profile
from core.domain.query import Understanding
from core.language.understand import understand

TODAY = date(2024, 6, 15)  # a Saturday


class Atlas:
    """A gazetteer with real towns, and towns whose names are everyday words."""

    towns = (
        PlaceName("Arezzo", "Tuscany", "IT", 0.0, GeoPoint(43.463, 11.880)),
        PlaceName("Vienna", "Vienna", "AT", 0.0, GeoPoint(48.208, 16.372)),
        PlaceName("Lisbon", "Lisbon", "PT", 0.0, GeoPoint(38.717, -9.133)),
        PlaceName("Garda", "Veneto", "IT", 0.0, GeoPoint(45.575, 10.708)),
        PlaceName("Paris", "Ile-de-France", "FR", 0.0, GeoPoint(48.853, 2.349)),
        PlaceName("Paris", "Texas", "US", 0.0, GeoPoint(33.661, -95.556)),
        PlaceName("Springfield", "Illinois", "US", 0.0, GeoPoint(39.802, -89.644)),
        PlaceName("Springfield", "Missouri", "US", 0.0, GeoPoint(37.215, -93.298)),
        PlaceName("New York", "New York", "US", 0.0, GeoPoint(40.714, -74.006)),
        PlaceName("Nice", "Provence", "FR", 0.0, GeoPoint(43.703, 7.266)),
        PlaceName("Orange", "Provence", "FR", 0.0, GeoPoint(44.138, 4.808)),
        PlaceName("Split", "Dalmatia", "HR", 0.0, GeoPoint(43.509, 16.439)),
        PlaceName("Blue", "Nowhere", "US", 0.0, GeoPoint(34.0, -96.2)),
        PlaceName("Park", "Nowhere", "US", 0.0, GeoPoint(39.1, -100.3)),
        PlaceName("Mono", "Ontario", "CA", 0.0, GeoPoint(44.02, -80.07)),
        PlaceName("Merritt Island", "Florida", "US", 0.0, GeoPoint(28.36, -80.68)),
        PlaceName("", "Tuscany", "IT", 104.0, GeoPoint(43.43, 11.1)),
        PlaceName("", "", "MC", 2.0, GeoPoint(43.74, 7.42)),
    )

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The first town: nobody asks here."""
        return [self.towns[0] for _ in points]

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """The towns of that name."""
        return tuple(town for town in self.towns if _name(town) == name.strip().lower())


def _name(place: PlaceName) -> str:
    return (place.name or place.region or "Monaco").lower()


def profile(**concepts: float) -> Profile:
    """A reference photo; an underscore in a name stands for a space."""
    found = tuple(Concept(name.replace("_", " "), p) for name, p in concepts.items())
    return Profile(PhotoId(1), found, "")


DOG = profile(dog=0.95, grass=0.9, outdoors=0.9, running=0.6, ball=0.4, people=0.35)
"""A dog that runs on grass."""
MAN = profile(street=0.8, man=0.9, car=0.7, red_hat=0.6, people=0.95)
"""A man with a red hat and a car in a street."""

Reader = Callable[..., Understanding]


@pytest.fixture
def read() -> Reader:
    """Understand a text on the day of the tests."""

    def run(text: str, reference: Profile | None = None) -> Understanding:
        return understand(text, TODAY, Atlas(), reference)

    return run


def wanted(understood: Understanding) -> set[str]:
    """The texts of the positive conditions."""
    return {condition.text for condition in understood.required}


def unwanted(understood: Understanding) -> set[str]:
    """The texts of the negative conditions."""
    return {condition.text for condition in understood.excluded}
