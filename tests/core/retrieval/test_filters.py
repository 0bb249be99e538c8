from datetime import date, datetime

import numpy as np
import pytest
from geopy.distance import great_circle
from hypothesis import given
from hypothesis import strategies as st

from core.domain.moment import Precision
from core.domain.place import GeoPoint
from core.domain.query import PlaceFilter, TimeFilter
from core.retrieval.filters import distance_km, taken_when, taken_where
from core.store.columns import PhotoColumns, load_columns

VIENNA, AREZZO = GeoPoint(48.208, 16.372), GeoPoint(43.463, 11.880)


def columns(taken=(), timed=None, points=(), countries=None, regions=None):
    size = max(len(taken), len(points))
    points = list(points) or [None] * size
    return PhotoColumns(
        np.arange(size),
        np.array([t or "NaT" for t in taken] or ["NaT"] * size, "datetime64[s]"),
        np.array(timed if timed is not None else [True] * size, np.bool_),
        np.zeros(size),
        np.array([p.latitude if p else np.nan for p in points]),
        np.array([p.longitude if p else np.nan for p in points]),
        np.array(countries or [""] * size, np.str_),
        np.array(["photo"] * size, np.str_),
        np.ones(size, np.bool_),
        np.array(regions or [""] * size, np.str_),
    )


moments = st.lists(
    st.none() | st.datetimes(datetime(1950, 1, 1), datetime(2060, 1, 1)), min_size=1, max_size=8
)
time_filters = st.builds(
    TimeFilter,
    st.just("then"),
    st.none() | st.dates(date(1950, 1, 1), date(2060, 1, 1)),
    st.none() | st.dates(date(1950, 1, 1), date(2060, 1, 1)),
    st.frozensets(st.integers(1, 12), max_size=3),
    st.frozensets(st.integers(0, 6), max_size=3),
    st.frozensets(st.integers(0, 23), max_size=6),
)


@given(moments, time_filters)
def test_times_match_as_datetime_says(taken, when):
    found = taken_when(columns(taken), when)
    for moment, held in zip(taken, found.tolist(), strict=True):
        assert held == (moment is not None and passes(moment, when))


def passes(moment, when):
    return (
        (when.earliest is None or moment.date() >= when.earliest)
        and (when.latest is None or moment.date() <= when.latest)
        and (not when.months or moment.month in when.months)
        and (not when.weekdays or moment.weekday() in when.weekdays)
        and (not when.hours or moment.hour in when.hours)
    )


def test_the_hour_of_a_day_precise_photo_is_not_known():
    midnight = columns([datetime(2021, 7, 4)], timed=[False])
    assert not taken_when(midnight, TimeFilter("at night", hours=frozenset({0}))).any()
    assert taken_when(midnight, TimeFilter("in July", months=frozenset({7}))).all()


points = st.builds(GeoPoint, st.floats(-89, 89), st.floats(-179, 179))


@given(points, points)
def test_distances_are_great_circles(one, other):
    km = distance_km(columns(points=[one]), other)[0]
    expected = great_circle(
        (one.latitude, one.longitude), (other.latitude, other.longitude)
    ).kilometers
    assert km == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_places_by_any_point_or_by_country():
    photos = columns(points=[VIENNA, AREZZO, None], countries=["AT", "IT", ""])
    near = PlaceFilter("near Vienna", (VIENNA, GeoPoint(0, 0)), 30.0)
    assert taken_where(photos, near).tolist() == [True, False, False]
    assert taken_where(photos, PlaceFilter("in Italy", (), 0.0, "IT")).tolist() == [
        False,
        True,
        False,
    ]
    assert not taken_where(photos, PlaceFilter("nowhere", (), 10.0)).any()


def test_a_region_is_that_of_its_country_and_joins_other_places():
    countries, regions = ["IT", "US", "IT", ""], ["Tuscany", "Tuscany", "Latium", ""]
    photos = columns(points=[AREZZO, VIENNA, AREZZO, None], countries=countries, regions=regions)
    tuscany = PlaceFilter("in Tuscany", (), 0.0, regions=(("Tuscany", "IT"),))
    assert taken_where(photos, tuscany).tolist() == [True, False, False, False]
    either = PlaceFilter("either", (VIENNA,), 30.0, regions=tuscany.regions)
    assert taken_where(photos, either).tolist() == [True, True, False, False]


def test_columns_of_a_library(make_library, picture):
    library = make_library(
        [
            picture("red", datetime(2021, 7, 4, 12, 30, 5), VIENNA),
            "blue",
            picture("green", datetime(2020, 1, 2), precision=Precision.DAY),
        ]
    )
    loaded = load_columns(library.database)
    assert loaded.ids.tolist() == [1, 2, 3]
    assert loaded.taken.astype(str).tolist() == [
        "2021-07-04T12:30:05",
        "NaT",
        "2020-01-02T00:00:00",
    ]
    assert loaded.timed.tolist() == [True, False, False]
    assert loaded.country.tolist() == ["AT", "", ""]
    assert np.isnan(loaded.latitude).tolist() == [False, True, True]
    assert len(load_columns(make_library([]).database).ids) == 3


def test_columns_of_an_empty_library(make_library):
    assert len(load_columns(make_library([]).database).ids) == 0
