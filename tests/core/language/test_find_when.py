"""Dates in queries: what they mean, and what is left of the text."""

from datetime import date

import pytest

from core.language.dates import find_when
from tests.core.language.conftest import TODAY

DAYS = [
    # (text, earliest, latest, rest)
    ("a beach in July 2021", "2021-07-01", "2021-07-31", "a beach"),
    ("a beach, summer 2019", "2019-06-01", "2019-08-31", "a beach,"),
    ("a beach last summer", "2023-06-01", "2023-08-31", "a beach"),
    ("this summer", "2024-06-01", "2024-08-31", ""),
    ("last winter", "2023-12-01", "2024-02-29", ""),
    ("yesterday", "2024-06-14", "2024-06-14", ""),
    ("today", "2024-06-15", "2024-06-15", ""),
    ("last night", "2024-06-14", "2024-06-15", ""),
    ("on 3 May 2020", "2020-05-03", "2020-05-03", ""),
    ("on May 3rd, 2020", "2020-05-03", "2020-05-03", ""),
    ("on the 3rd of May 2020", "2020-05-03", "2020-05-03", ""),
    ("on 3 May", "2024-05-03", "2024-05-03", ""),
    ("on 3 August", "2023-08-03", "2023-08-03", ""),
    ("a cat 2020-05-03", "2020-05-03", "2020-05-03", "a cat"),
    ("3.5.2020", "2020-05-03", "2020-05-03", ""),
    ("2020-05", "2020-05-01", "2020-05-31", ""),
    ("dogs between 2018 and 2020", "2018-01-01", "2020-12-31", "dogs"),
    ("dogs from 2018 to 2020", "2018-01-01", "2020-12-31", "dogs"),
    ("2018-2020", "2018-01-01", "2020-12-31", ""),
    ("before 2015", None, "2014-12-31", ""),
    ("after 2015", "2016-01-01", None, ""),
    ("since 2015", "2015-01-01", None, ""),
    ("until May 2015", None, "2015-05-31", ""),
    ("since last summer", "2023-06-01", None, ""),
    ("after May 2018 before June 2019", "2018-06-01", "2019-05-31", ""),
    ("from June to August 2020", "2020-06-01", "2020-08-31", ""),
    ("christmas 2020", "2020-12-23", "2020-12-27", ""),
    ("last Christmas", "2023-12-23", "2023-12-27", ""),
    ("easter 2024", "2024-03-29", "2024-04-01", ""),
    ("new year's eve 2019", "2019-12-31", "2019-12-31", ""),
    ("in 2019", "2019-01-01", "2019-12-31", ""),
    ("beach 2019", "2019-01-01", "2019-12-31", "beach"),
    ("in the 1990s", "1990-01-01", "1999-12-31", ""),
    ("last month", "2024-05-01", "2024-05-31", ""),
    ("last week", "2024-06-03", "2024-06-09", ""),
    ("last weekend", "2024-06-08", "2024-06-09", ""),
    ("last Sunday", "2024-06-09", "2024-06-09", ""),
    ("last year", "2023-01-01", "2023-12-31", ""),
    ("two years ago", "2022-01-01", "2022-12-31", ""),
    ("3 months ago", "2024-03-01", "2024-03-31", ""),
    ("a week ago", "2024-06-03", "2024-06-09", ""),
    ("in the last 3 months", "2024-03-15", "2024-06-15", ""),
    ("last July", "2023-07-01", "2023-07-31", ""),
    ("photos I took yesterday at the beach", "2024-06-14", "2024-06-14", "photos at the beach"),
]


@pytest.mark.parametrize(("text", "earliest", "latest", "rest"), DAYS, ids=[c[0] for c in DAYS])
def test_days(text: str, earliest: str | None, latest: str | None, rest: str) -> None:
    found = find_when(text, TODAY)
    assert found.filter is not None
    assert found.filter.earliest == (date.fromisoformat(earliest) if earliest else None)
    assert found.filter.latest == (date.fromisoformat(latest) if latest else None)
    assert found.rest == rest


RETURNING = [
    # (text, months, weekdays, hours)
    ("in July", {7}, set(), set()),
    ("a garden in may", {5}, set(), set()),
    ("between May and July", {5, 6, 7}, set(), set()),
    ("from November to February", {11, 12, 1, 2}, set(), set()),
    ("on a Sunday", set(), {6}, set()),
    ("weekends", set(), {5, 6}, set()),
    ("on Sundays in July", {7}, {6}, set()),
    ("taken in the morning", set(), set(), set(range(5, 12))),
    ("shot at night", set(), set(), {21, 22, 23, 0, 1, 2, 3, 4, 5}),
    ("taken in winter", {12, 1, 2}, set(), set()),
    ("at 5 pm", set(), set(), {17}),
    ("around 17:30", set(), set(), {16, 17, 18}),
    ("not in July", {1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12}, set(), set()),
    ("except on Sundays", set(), {0, 1, 2, 3, 4, 5}, set()),
]


@pytest.mark.parametrize(
    ("text", "months", "weekdays", "hours"), RETURNING, ids=[c[0] for c in RETURNING]
)
def test_times_that_return(
    text: str, months: set[int], weekdays: set[int], hours: set[int]
) -> None:
    found = find_when(text, TODAY).filter
    assert found is not None
    assert (found.months, found.weekdays, found.hours) == (months, weekdays, hours)
    assert found.earliest is None


UNDATED = [
    "3 dogs",
    "2020 people",
    "you may see a dog",
    "a march in the city",
    "june and her dog",
    "a street at night",
    "a beach in the evening",
    "snow in winter",
    "a Sunday dress",
    "a table for 2019 guests",
    "a man at 3 tables",
    "a christmas tree",
    "31 June",
    "a spring in the forest",
    "number 1234567",
    "a fall from a horse",
]


@pytest.mark.parametrize("text", UNDATED)
def test_what_only_looks_like_a_date_stays(text: str) -> None:
    found = find_when(text, TODAY)
    assert found.filter is None
    assert found.rest == text


def test_winter_of_a_year_is_either_of_its_winters() -> None:
    found = find_when("winter 2019", TODAY).filter
    assert found is not None
    assert (found.earliest, found.latest) == (date(2018, 12, 1), date(2020, 2, 29))
    assert found.months == {12, 1, 2}


def test_a_year_that_is_excluded_is_told_and_never_asked_for() -> None:
    found = find_when("dogs, not in 2019", TODAY)
    assert found.filter is None
    assert "2019" not in found.rest
    assert found.notes


def test_times_that_contradict_each_other_are_told() -> None:
    found = find_when("in 2019 before 2010", TODAY)
    assert found.filter is not None
    assert any("contradicts" in note for note in found.notes)
