"""Positions from tags, and the reasons for none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.metadata.gps import GpsTags, gps_of_texts, read_point

NUMBERS = st.one_of(st.none(), st.floats(), st.integers(-400, 400).map(float))
PARTS = st.lists(NUMBERS, max_size=4)


def tags(latitude: object, longitude: object, refs: str = "NE", **more: object) -> GpsTags:
    return GpsTags(
        latitude=latitude,  # type: ignore[arg-type]
        longitude=longitude,  # type: ignore[arg-type]
        latitude_ref=refs[0],
        longitude_ref=refs[1],
        **more,  # type: ignore[arg-type]
    )


def test_degrees_minutes_and_seconds_add_up() -> None:
    point, reason = read_point(tags((43.0, 28.0, 2.81), (11.0, 53.0, 6.46)))
    assert reason == ""
    assert point is not None
    assert point.latitude == pytest.approx(43.467447, abs=1e-6)
    assert point.longitude == pytest.approx(11.885128, abs=1e-6)


@pytest.mark.parametrize(("refs", "signs"), [("NE", (1, 1)), ("SE", (-1, 1)), ("SW", (-1, -1))])
def test_hemispheres(refs: str, signs: tuple[int, int]) -> None:
    point, _ = read_point(tags((33.5,), (151.25,), refs))
    assert point is not None
    assert (point.latitude, point.longitude) == (33.5 * signs[0], 151.25 * signs[1])


@pytest.mark.parametrize(
    ("given_tags", "reason"),
    [
        (GpsTags(), ""),
        (tags((43.0, None, 0.0), (11.0, 0.0, 0.0)), "zero denominator"),
        (tags((43.0,), (11.0,), status="V"), "void status"),
        (tags((91.0,), (11.0,)), "out of range"),
        (tags((45.0,), (180.5,)), "out of range"),
        (tags((45.0, 75.0), (11.0,)), "out of range"),
        (tags((math.nan,), (11.0,)), "not a number"),
        (tags((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "exactly (0, 0)"),
        (tags((43.0,), ()), "incomplete"),
        (tags((43.0,), (11.0,), "  "), "hemisphere unknown"),
    ],
)
def test_refused_with_a_reason(given_tags: GpsTags, reason: str) -> None:
    assert read_point(given_tags) == (None, reason)


def test_equator_and_meridian_are_real_places() -> None:
    assert read_point(tags((0.0,), (11.0,)))[0] is not None
    assert read_point(tags((43.0,), (0.0,)))[0] is not None


def test_altitude_below_sea() -> None:
    point, _ = read_point(tags((31.5,), (35.5,), altitude=430.0, altitude_ref=1))
    assert point is not None and point.altitude == -430.0
    point, _ = read_point(tags((31.5,), (35.5,), altitude=None))
    assert point is not None and point.altitude is None


def written(latitude: str, longitude: str, refs: tuple[str, str] = ("", "")) -> GpsTags:
    return gps_of_texts(
        latitude=latitude, longitude=longitude, altitude="-12/10", altitude_ref="", status="",
        refs=refs,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("latitude", "longitude", "refs", "degrees"),
    [
        ("43,28.2N", "11,53.1E", ("", ""), (43.47, 11.885)),
        ("33,51,30S", "151,12,36E", ("", ""), (-33.858333, 151.21)),
        ("43.47", "-11.885", ("", ""), (43.47, -11.885)),
        ("43.47", "11.885", ("S", "W"), (-43.47, -11.885)),
        ("43,28.2", "11,53.1", ("North", "West"), (43.47, -11.885)),
        (" 0,0.0N ", "11,53.1E", ("", ""), (0.0, 11.885)),
    ],
)
def test_positions_as_xmp_writes_them(
    latitude: str, longitude: str, refs: tuple[str, str], degrees: tuple[float, float]
) -> None:
    point, reason = read_point(written(latitude, longitude, refs))
    assert reason == "" and point is not None
    assert (point.latitude, point.longitude) == pytest.approx(degrees, abs=1e-6)
    assert point.altitude == -1.2


@pytest.mark.parametrize(
    ("latitude", "longitude", "reason"),
    [
        ("", "", ""),
        ("43,28.2N", "", "incomplete"),
        ("nan", "11", "not a number"),
        ("43,75N", "11,0E", "out of range"),
        ("91", "11", "out of range"),
        ("0", "0", "exactly (0, 0)"),
        ("43,28E", "11,0N", "hemisphere unknown"),
    ],
)
def test_refused_as_in_exif(latitude: str, longitude: str, reason: str) -> None:
    assert read_point(written(latitude, longitude)) == (None, reason)


@given(st.lists(st.text(max_size=12), min_size=6, max_size=6))
def test_any_text_gives_a_point_or_a_reason(texts: list[str]) -> None:
    latitude, longitude, altitude, altitude_ref, north, east = texts
    told = gps_of_texts(latitude, longitude, altitude, altitude_ref, "", (north, east))
    point, reason = read_point(told)
    assert (point is None) or reason == ""


@given(PARTS, PARTS, st.text(max_size=3), st.text(max_size=3), NUMBERS, st.integers(0, 9))
def test_any_tags_give_a_point_on_the_globe_or_a_reason(
    latitude: list[float | None],
    longitude: list[float | None],
    latitude_ref: str,
    longitude_ref: str,
    altitude: float | None,
    below: int,
) -> None:
    given_tags = GpsTags(latitude, latitude_ref, longitude, longitude_ref, altitude, below)
    point, reason = read_point(given_tags)
    if point is None:
        assert reason or not (latitude or longitude)
    else:
        assert reason == ""
        assert -90 <= point.latitude <= 90 and -180 <= point.longitude <= 180
        assert point.altitude is None or math.isfinite(point.altitude)
