"""Places in queries: looked up only where one is likely."""

import pytest

from core.language.places import find_where
from tests.core.language.conftest import Atlas

FOUND = [
    # (text, rest, points, radius)
    ("a church near Arezzo", "a church", 1, 50.0),
    ("a church in Vienna at night", "a church at night", 1, 25.0),
    ("boats at Lake Garda", "boats", 1, 50.0),
    ("from our trip to Lisbon", "", 1, 50.0),
    ("a tram from our last trip to Lisbon", "a tram", 1, 50.0),
    ("a tram from Lisbon", "a tram", 1, 25.0),
    ("a cafe in paris", "a cafe", 1, 25.0),
    ("a cafe in Paris, Texas", "a cafe", 1, 25.0),
    ("a house in Springfield", "a house", 2, 25.0),
    ("a street in new york", "a street", 1, 25.0),
    ("a taxi in New York City", "a taxi", 1, 25.0),
    ("a beach in Nice", "a beach", 1, 25.0),
    ("within 10 km of Vienna", "", 1, 10.0),
    ("within 10 miles of Vienna", "", 1, 16.09344),
    ("a church in Vienna or Lisbon", "a church", 2, 25.0),
    ("the streets of Vienna", "the streets", 1, 25.0),
    ("Vienna", "", 1, 25.0),
    ("A CHURCH IN VIENNA", "A CHURCH", 1, 25.0),
]


@pytest.mark.parametrize(("text", "rest", "points", "radius"), FOUND, ids=[c[0] for c in FOUND])
def test_places(text: str, rest: str, points: int, radius: float) -> None:
    found = find_where(text, Atlas())
    assert found.filter is not None
    assert len(found.filter.points) == points
    assert found.filter.radius_km == pytest.approx(radius)
    assert found.rest == rest


def test_the_second_name_chooses_among_places_of_one_name() -> None:
    texas = find_where("in Paris, Texas", Atlas()).filter
    france = find_where("in Paris, France", Atlas()).filter
    assert texas is not None
    assert france is not None
    assert texas.points[0].longitude < 0 < france.points[0].longitude


def test_a_country_is_a_filter_without_points() -> None:
    found = find_where("dogs in Italy", Atlas())
    assert found.filter is not None
    assert (found.filter.country, found.filter.points) == ("IT", ())
    assert found.rest == "dogs"


EVERYDAY = [
    "a man in blue",
    "a man in orange",
    "a man in an orange hat",
    "a dog on nice grass",
    "a dog in a park",
    "kids in park",
    "a banana split on a table",
    "from above",
    "A Man In A Park In Blue",
    "to the beach",
    "orange",
]


@pytest.mark.parametrize("text", EVERYDAY)
def test_everyday_words_are_no_places(text: str) -> None:
    found = find_where(text, Atlas())
    assert found.filter is None
    assert found.rest == text


def test_an_unknown_place_is_told_and_its_words_stay() -> None:
    found = find_where("a dog near Atlantis", Atlas())
    assert found.filter is None
    assert found.rest == "a dog near Atlantis"
    assert "Atlantis" in found.notes[0]


def test_an_excluded_place_is_told_and_never_asked_for() -> None:
    found = find_where("a church but not in Vienna", Atlas())
    assert found.filter is None
    assert "Vienna" not in found.rest
    assert found.notes


@pytest.mark.parametrize("text", ["a church in Tuscany", "a church in Tuscany, Italy"])
def test_a_region_is_all_of_it(text: str) -> None:
    found = find_where(text, Atlas())
    assert found.filter is not None
    assert (found.filter.regions, found.filter.points) == ((("Tuscany", "IT"),), ())
    assert found.rest == "a church"


def test_a_country_of_the_gazetteer_is_all_of_it() -> None:
    found = find_where("boats in Monaco", Atlas())
    assert found.filter is not None
    assert (found.filter.country, found.filter.points) == ("MC", ())


def test_places_and_regions_join() -> None:
    found = find_where("a church in Tuscany or Vienna", Atlas()).filter
    assert found is not None
    assert found.regions == (("Tuscany", "IT"),)
    assert len(found.points) == 1


def test_the_beginning_of_a_name_is_no_place() -> None:
    found = find_where("an afternoon at Mono Lake", Atlas())
    assert found.filter is None
    assert found.unknown == ("Mono Lake",)
    assert "Mono Lake" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "placed"),
    [("a day on Merritt Island", True), ("a dog on Vienna", False), ("a dog on nice grass", False)],
)
def test_one_is_on_an_island_only(text: str, placed: bool) -> None:
    assert (find_where(text, Atlas()).filter is not None) is placed
