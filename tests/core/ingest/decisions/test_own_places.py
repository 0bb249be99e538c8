"""The user's names for places, as searches find them."""

import pytest

from core.backends.fakes import TinyGazetteer
from core.domain.decision import PlaceNamed
from core.domain.place import GeoPoint
from core.ingest.decisions.own_places import OwnPlaces
from core.language.places import find_where

HOUSE, HILLS = GeoPoint(43.5, 11.9), GeoPoint(44.0, 12.0)
PLACES = OwnPlaces(
    TinyGazetteer(),
    [
        PlaceNamed("our house", HOUSE, 0.3),
        PlaceNamed("Été", HILLS, 2),
        PlaceNamed("The Hills", HILLS, 30),
        PlaceNamed("Vienna", HOUSE, 1),
    ],
)


@pytest.mark.parametrize(
    ("text", "rest", "point", "radius"),
    [
        ("a dog at our house", "a dog", HOUSE, 0.3),
        ("a dog near Our House", "a dog", HOUSE, 0.3),
        ("sunset in the hills", "sunset", HILLS, 30),
        ("the hills", "", HILLS, 30),
        ("pictures from ete", "pictures", HILLS, 2),
        ("a dog in Vienna", "a dog", HOUSE, 1),
    ],
)
def test_searches_know_the_users_names(
    text: str, rest: str, point: GeoPoint, radius: float
) -> None:
    found = find_where(text, PLACES)
    assert found.rest == rest
    assert found.filter is not None
    assert found.filter.points == (point,)
    assert found.filter.radius_km == radius


def test_other_places_are_those_of_the_gazetteer() -> None:
    assert PLACES.find("Lisbon") == TinyGazetteer().find("Lisbon")
    assert PLACES.find("nowhere") == ()
    assert PLACES.nearest([HOUSE])[0].name == "Arezzo"
    assert find_where("a house on a hill", PLACES).filter is None
