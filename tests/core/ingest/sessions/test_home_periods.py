"""Homes as a person tells them."""

from collections.abc import Callable, Sequence
from datetime import date

from core.domain.decision import HomeSet
from core.domain.home_period import HomePeriod
from core.domain.place import GeoPoint
from core.ingest.sessions.home import WHOLE_LIBRARY, month_of
from core.ingest.sessions.home_periods import home_periods
from core.store.library import Library
from tests.core.conftest import Picture

AREZZO, NEAR, MOAB = GeoPoint(43.463, 11.88), GeoPoint(43.5, 11.9), GeoPoint(38.573, -109.549)
Make = Callable[[Sequence[Picture]], Library]


def month(year: int, number: int) -> int:
    return month_of(date(year, number, 1))


def test_months_with_one_home_are_one_period(make_library: Make) -> None:
    library = make_library([])
    library.homes.keep(
        {
            month(2020, 11): AREZZO,
            month(2020, 12): NEAR,
            month(2021, 3): AREZZO,
            month(2021, 4): MOAB,
            month(2021, 12): MOAB,
        }
    )
    assert home_periods(library) == [
        HomePeriod(AREZZO, date(2020, 11, 1), date(2021, 3, 31), False),
        HomePeriod(MOAB, date(2021, 4, 1), date(2021, 12, 31), False),
    ]


def test_what_the_user_said_comes_first(make_library: Make) -> None:
    library = make_library([])
    assert home_periods(library) == []
    library.homes.keep({WHOLE_LIBRARY: AREZZO})
    library.decisions.add(HomeSet(MOAB, date(2021, 1, 1)))
    assert home_periods(library) == [
        HomePeriod(MOAB, date(2021, 1, 1), None, True),
        HomePeriod(AREZZO, None, None, False),
    ]
