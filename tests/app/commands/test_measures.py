"""Times, offsets and positions as people type them."""

import argparse
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.commands.measures import (
    date_word,
    end_word,
    km_word,
    offset_word,
    point_text,
    point_word,
    rating_word,
    shift_text,
    shift_word,
    time_text,
    time_word,
)
from core.domain.place import GeoPoint


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2021-07-03", datetime(2021, 7, 3), datetime(2021, 7, 3, 23, 59, 59, 999_999)),
        ("2021-07-03 14:05", datetime(2021, 7, 3, 14, 5), datetime(2021, 7, 3, 14, 5, 59, 999_999)),
        (
            "2021-07-03T14:05:06",
            datetime(2021, 7, 3, 14, 5, 6),
            datetime(2021, 7, 3, 14, 5, 6, 999_999),
        ),
        ("2021-07-03T14:05:06.25", *(2 * [datetime(2021, 7, 3, 14, 5, 6, 250_000)])),
    ],
)
def test_a_time_stands_for_all_that_it_leaves_open(
    text: str, first: datetime, last: datetime
) -> None:
    assert time_word(text) == first
    assert end_word(text) == last


@pytest.mark.parametrize(
    ("text", "shift"),
    [
        ("+01:00", timedelta(hours=1)),
        ("-01:00", timedelta(hours=-1)),
        ("-00:02:30", timedelta(seconds=-150)),
        ("+365d", timedelta(days=365)),
        ("-1d06:00", timedelta(days=-1, hours=-6)),
        ("+100:30", timedelta(hours=100, minutes=30)),
    ],
)
def test_a_correction_has_a_sign(text: str, shift: timedelta) -> None:
    assert shift_word(text) == shift


@given(st.timedeltas(timedelta(days=-40_000), timedelta(days=40_000)))
def test_a_correction_is_read_as_it_is_written(shift: timedelta) -> None:
    whole = timedelta(seconds=round(shift.total_seconds()))
    assert shift_word(shift_text(whole)) == whole


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 1, 1)))
def test_a_time_is_read_as_it_is_written(time: datetime) -> None:
    assert time_word(time_text(time)) == time.replace(microsecond=0)


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_a_position_is_read_as_it_is_written(latitude: float, longitude: float) -> None:
    read = point_word(point_text(GeoPoint(latitude, longitude)))
    assert read.latitude == pytest.approx(latitude, abs=1e-6)
    assert read.longitude == pytest.approx(longitude, abs=1e-6)


@pytest.mark.parametrize(
    ("word", "texts"),
    [
        (time_word, ["", "yesterday", "2021-02-30", "2021-7-3", "2021-07-03T25:00", "03.07.2021"]),
        (shift_word, ["", "01:00", "+", "+1", "+d", "+01:60", "1h", "+01:00:60", "--01:00"]),
        (offset_word, ["", "+2", "+02", "+15:00", "02:00", "+02:00:00", "Europe/Rome"]),
        (point_word, ["", "43.4", "43.4,", "43,4,11,8", "91,0", "0,181", "N43,E11", "nan,0"]),
        (km_word, ["", "0", "-1", "nan", "inf", "far"]),
        (rating_word, ["", "6", "-2", "five", "3.5", "٣"]),
        (date_word, ["", "2021-02-30", "July"]),
    ],
)
def test_anything_else_is_refused_with_a_word_of_how_to_write_it(
    word: Callable[[str], object], texts: list[str]
) -> None:
    for text in texts:
        with pytest.raises(argparse.ArgumentTypeError):
            word(text)
