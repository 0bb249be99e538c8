"""Home by distinct days, month by month, and as the user says."""

from datetime import date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.domain.decision import HomeSet
from core.domain.place import GeoPoint
from core.domain.visit import Visit
from core.ingest.sessions.home import (
    WHOLE_LIBRARY,
    WINDOW_DAYS,
    Homes,
    find_homes,
    middle_of,
    month_of,
    months_around,
)
from core.ingest.sessions.renew_homes import moves

VIENNA, LISBON, SYDNEY = GeoPoint(48.2, 16.35), GeoPoint(38.7, -9.15), GeoPoint(-33.85, 151.2)
FIRST = date(2020, 1, 1)


def visits(point: GeoPoint, *days: int) -> set[Visit]:
    return {Visit.of((FIRST + timedelta(days=day)).toordinal(), point) for day in days}


def at(homes: Homes, day: int) -> GeoPoint | None:
    return homes.at(datetime.combine(FIRST, datetime.min.time()) + timedelta(days=day))


def near(one: GeoPoint | None, other: GeoPoint) -> bool:
    if one is None:
        return False
    return abs(one.latitude - other.latitude) < 0.1 and abs(one.longitude - other.longitude) < 0.1


def test_the_place_of_most_days_is_home() -> None:
    seen = visits(VIENNA, *range(0, 60, 4)) | visits(LISBON, *range(20, 30))
    assert near(at(Homes.of(find_homes(seen)), 30), VIENNA)


def test_days_at_neighbouring_places_are_one_home() -> None:
    near_by = [GeoPoint(48.2 + i / 10, 16.35) for i in (-1, 0, 1)]  # 11 km apart
    seen = {v for i in range(3) for v in visits(near_by[i], *range(i * 5, 90, 15))}
    seen |= visits(LISBON, *range(40, 52))
    assert near(at(Homes.of(find_homes(seen)), 30), VIENNA)


def test_people_move_and_months_between_have_the_nearer_home() -> None:
    seen = visits(VIENNA, *range(0, 100, 4)) | visits(SYDNEY, *range(900, 1000, 4))
    homes = Homes.of(find_homes(seen))
    assert near(at(homes, 50), VIENNA) and near(at(homes, 950), SYDNEY)
    assert near(at(homes, -4000), VIENNA) and near(at(homes, 4000), SYDNEY)
    assert near(at(homes, 400), VIENNA) and near(at(homes, 600), SYDNEY)


def test_a_fortnight_is_no_home() -> None:
    holiday = visits(LISBON, *range(10)) | visits(SYDNEY, *range(11, 17))
    assert find_homes(holiday) == {}


def test_few_photos_a_year_make_a_home_of_the_whole_library() -> None:
    seen = visits(VIENNA, *range(0, 2000, 150)) | visits(LISBON, 500, 501)
    found = find_homes(seen)
    assert set(found) == {WHOLE_LIBRARY}
    assert near(at(Homes.of(found), 77), VIENNA)


def test_the_user_is_believed_within_the_period_and_the_newest_word_first() -> None:
    words = [
        HomeSet(LISBON, FIRST, FIRST + timedelta(days=9)),
        HomeSet(SYDNEY, FIRST + timedelta(days=5), FIRST + timedelta(days=20)),
    ]
    homes = Homes.of(find_homes(visits(VIENNA, *range(0, 100, 4))), words)
    assert [at(homes, day) for day in (0, 4, 5, 9, 20)] == [LISBON, LISBON, SYDNEY, SYDNEY, SYDNEY]
    assert near(at(homes, 21), VIENNA) and near(at(homes, -1), VIENNA)
    assert at(Homes.of({}, [HomeSet(LISBON)]), 12345) == LISBON
    assert at(Homes(), 0) is None


@given(st.integers(1, 3_652_059))
def test_a_day_concerns_the_months_whose_windows_hold_it(day: int) -> None:
    months = months_around([day])
    assert all(abs(middle_of(month) - day) <= WINDOW_DAYS for month in months)
    own = month_of(date.fromordinal(day))
    assert (own in months and 6 <= len(months) <= 8) or day < 200 or day > 3_651_800


FOUND = st.dictionaries(st.integers(24200, 24230), st.sampled_from([VIENNA, LISBON]), max_size=6)


@given(FOUND, FOUND)
def test_moves_tell_every_month_in_which_home_is_another(
    before: dict[int, GeoPoint], after: dict[int, GeoPoint]
) -> None:
    old, new = Homes.of(before), Homes.of(after)
    told = list(moves(old, new))
    for month in range(24150, 24300):
        middle = (middle_of(month) - date(1970, 1, 1).toordinal()) * 86_400.0
        moved = any(first <= middle <= last for first, last, *_ in told)
        if old.around(month) != new.around(month):
            assert moved, month
    assert bool(told) == (any(old.around(m) != new.around(m) for m in range(24150, 24300)))


def test_a_point_lies_in_its_cell() -> None:
    for point in (VIENNA, LISBON, SYDNEY, GeoPoint(-89.9, -179.9), GeoPoint(0.0, 0.0)):
        there = Visit.of(1, point).point
        assert abs(there.latitude - point.latitude) <= 0.0251
        assert abs(there.longitude - point.longitude) <= 0.0251
