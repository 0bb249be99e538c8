"""Names of places, offline."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.gazetteer.offline import OfflineGazetteer
from core.domain.place import GeoPoint

GAZETTEER = OfflineGazetteer()


def test_nearest_is_near_and_measured() -> None:
    arezzo, auckland = GAZETTEER.nearest([GeoPoint(43.46, 11.88), GeoPoint(-36.85, 174.76)])
    assert arezzo.text == "Arezzo, Tuscany, IT" and 0 < arezzo.distance_km < 3
    assert auckland.name == "Auckland"
    assert GAZETTEER.nearest([]) == []


@pytest.mark.parametrize(
    ("point", "country"),
    [
        ((47.555, 7.590), "CH"),  # Basel, where three countries meet
        ((47.590, 7.620), "DE"),
        ((47.585, 7.560), "FR"),
        ((43.083, -79.065), "US"),  # the two sides of Niagara Falls
        ((43.080, -79.080), "CA"),
        (
            (48.5750, 7.7960),
            "FR",
        ),  # the bank of the Rhine that is nearer to Kehl than to Strasbourg
    ],
)
def test_the_country_is_that_of_the_point(point: tuple[float, float], country: str) -> None:
    assert GAZETTEER.nearest([GeoPoint(*point)])[0].country == country


@pytest.mark.parametrize(
    ("point", "locality", "name"),
    [
        ((52.499, 13.400), "Kreuzberg", "Berlin"),
        ((-33.890, 151.275), "Bondi Beach", "Sydney"),
        ((40.758, -73.985), "Times Square", "New York City"),
        ((48.861, 2.336), "", "Paris"),
        ((48.800, 2.120), "", "Versailles"),
        ((40.735, -74.170), "", "Newark"),  # another state than New York
    ],
)
def test_the_city_holds_its_parts(point: tuple[float, float], locality: str, name: str) -> None:
    (place,) = GAZETTEER.nearest([GeoPoint(*point)])
    assert (place.locality, place.name) == (locality, name)
    assert place.text.startswith(f"{locality}, {name}" if locality else name)


def test_the_date_line_is_no_edge() -> None:
    east, west = GAZETTEER.nearest([GeoPoint(-16.8, 179.999), GeoPoint(-16.8, -179.999)])
    assert east.name == west.name


@settings(max_examples=30, deadline=None)
@given(st.floats(-90, 90), st.floats(-180, 180))
def test_every_point_has_a_place(latitude: float, longitude: float) -> None:
    (place,) = GAZETTEER.nearest([GeoPoint(latitude, longitude)])
    assert place.name and 0 <= place.distance_km < 5000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("paris", "Paris, Île-de-France, FR"),
        ("  New  York ", "New York City, New York, US"),
        ("ZÜRICH", "Zürich, Zurich, CH"),
        ("Florence", "Florence, Tuscany, IT"),
        ("san francisco", "San Francisco, California, US"),
        ("Oxford", "Oxford, England, GB"),
        ("Vienna", "Vienna, Vienna, AT"),
        ("Tuscany", "Tuscany, IT"),
        ("Italy", "IT"),
        ("USA", "US"),
        ("moab", "Moab, Utah, US"),
        ("München", "Munich, Bavaria, DE"),
        ("Napoli", "Naples, Campania, IT"),
        ("Venedig", "Venice, Veneto, IT"),
        ("Londres", "London, England, GB"),
        ("Rom", "Rome, Lazio, IT"),
        ("Nice", "Nice, Provence-Alpes-Côte d'Azur, FR"),
    ],
)
def test_the_likeliest_place_of_a_name(name: str, text: str) -> None:
    assert GAZETTEER.find(name)[0].text == text


def test_all_places_of_a_name_are_there() -> None:
    found = GAZETTEER.find("Paris")
    assert {place.country for place in found} >= {"FR", "US", "CA"}
    assert GAZETTEER.find("paris") is GAZETTEER.find("PARIS")


def test_regions_say_how_far_they_reach() -> None:
    (tuscany,) = GAZETTEER.find("tuscany")
    assert 50 < tuscany.distance_km < 150 and tuscany.name == ""
    assert GAZETTEER.find("Florence")[0].distance_km == 0


def test_unknown_names() -> None:
    assert GAZETTEER.find("Xyzzyx") == () and GAZETTEER.find(" ") == ()


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=30))
def test_any_name_can_be_asked(name: str) -> None:
    assert isinstance(GAZETTEER.find(name), tuple)


@pytest.mark.parametrize(("name", "country"), [("Florida", "US"), ("Tuscany", "IT")])
def test_a_large_region_beats_towns_of_its_name_elsewhere(name: str, country: str) -> None:
    first = GAZETTEER.find(name)[0]
    assert (first.name, first.region, first.country) == ("", name, country)
