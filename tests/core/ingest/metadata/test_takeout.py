"""Takeout's JSON: dates, positions, people, albums; and what hostile files say."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.moment import ClockSource
from core.domain.photo import CompanionRole
from core.ingest.metadata.takeout import FAVOURITE, NOTHING, TakeoutTags, read_takeout

TOLD: dict[str, Any] = {
    "title": "IMG_1.jpg",
    "description": "At the pier",
    "photoTakenTime": {"timestamp": "1563100200", "formatted": "14.07.2019, 10:30:00 UTC"},
    "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
    "geoDataExif": {"latitude": -33.86, "longitude": 151.21, "altitude": 12.0},
    "people": [{"name": "Anna"}, {"name": ""}, {"nome": "X"}, "Ben", {"name": 7}],
    "favorited": True,
}


def read(**more: Any) -> TakeoutTags:
    return read_takeout(json.dumps({**TOLD, **more}).encode())


def test_what_it_says_of_a_photo() -> None:
    found = read()
    assert found.taken is not None and found.taken.iso == "2019-07-14T10:30:00+00:00"
    assert found.taken.source is ClockSource.TAKEOUT
    assert found.point is not None and found.point.latitude == -33.86
    assert found.point.altitude == 12.0
    assert found.description == "At the pier"
    assert found.words.persons == ("Anna",)
    assert found.words.keywords == (FAVOURITE,)
    assert found.words.albums == ()


def test_its_own_position_before_that_of_exif() -> None:
    found = read(geoData={"latitude": 43.0, "longitude": 0.0, "altitude": 0.0})
    assert found.point is not None
    assert (found.point.latitude, found.point.longitude, found.point.altitude) == (43.0, 0.0, None)


@pytest.mark.parametrize(
    ("told", "albums"),
    [
        ({"title": "Summer at sea", "description": ""}, ("Summer at sea",)),
        ({"albumData": {"title": "Summer at sea"}}, ("Summer at sea",)),
        ({"title": "Photos from 2019"}, ()),
        ({"title": "Fotos von 2019"}, ()),
        ({"title": "  "}, ()),
        ({"title": ["x"]}, ()),
        ({"albumData": []}, ()),
    ],
)
def test_albums_of_folders(told: dict[str, Any], albums: tuple[str, ...]) -> None:
    assert read_takeout(json.dumps(told).encode()).words.albums == albums


@pytest.mark.parametrize(
    "stamp",
    ["", "1e9", "99999999999999999", "１２３", " 12", None, True, 1.5, [], {}, "999999999999"],
)
def test_what_is_no_time(stamp: object) -> None:
    assert read(photoTakenTime={"timestamp": stamp}).taken is None


def test_photos_before_1970_have_a_time_too() -> None:
    found = read(photoTakenTime={"timestamp": "-86400"}).taken
    assert found is not None and found.iso == "1969-12-31T00:00:00+00:00"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[1, 2]",
        b"null",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'{"photoTakenTime": ' + b"9" * 10_000 + b"}",
    ],
)
def test_what_is_none_of_takeouts(raw: bytes) -> None:
    assert read_takeout(raw) == NOTHING


@pytest.mark.parametrize(
    "place",
    [
        {"latitude": float("nan"), "longitude": 1},
        {"latitude": float("inf"), "longitude": 1},
        {"latitude": 91, "longitude": 1},
        {"latitude": 10**400, "longitude": 1},
        {"latitude": True, "longitude": 1},
        {"latitude": "43", "longitude": 1},
        {"latitude": 43},
        [],
        None,
    ],
)
def test_what_is_no_position(place: object) -> None:
    assert read(geoData=place, geoDataExif=None).point is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(TOLD)), JSON))
def test_wrong_types_never_raise(told: dict[str, Any]) -> None:
    found = read_takeout(json.dumps(told).encode())
    assert found.taken is None or found.taken.offset is not None


def test_roles_are_told_by_content() -> None:
    assert CompanionRole.TAKEOUT == "takeout"
