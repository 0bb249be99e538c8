"""A trip's parts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.story.chapters import chapters

HOUR, DAY = 3600.0, 86_400.0


@given(st.lists(st.integers(0, 12 * 86_400), min_size=0, max_size=25), st.integers(2, 6))
def test_parts_are_runs_in_order_and_as_many_as_can_be(times, most):
    seconds = np.sort(np.array(times, np.float64))
    day = np.floor(seconds / DAY).astype(np.int64)
    part = chapters(day, seconds, most)
    assert len(part) == len(times)
    if not len(part):
        return
    assert part[0] == 0
    assert set(np.diff(part)) <= {0, 1}
    assert part.max() + 1 == min(most, len(np.unique(seconds)))
    if len(np.unique(day)) <= most:
        assert all(len(set(day[part == number])) == 1 for number in set(part))
    else:
        assert all(len(set(part[day == number])) == 1 for number in set(day))


def test_the_longest_pauses_cut_a_day():
    seconds = np.array([0, 60, 4000, 4100, 20_000, 20_001])
    assert chapters(np.zeros(6, np.int64), seconds, 3).tolist() == [0, 0, 1, 1, 2, 2]


def test_many_days_are_shared_out_equally():
    day = np.arange(10)
    assert chapters(day, day * DAY, 5).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
