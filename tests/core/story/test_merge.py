"""Near-duplicates and bursts become one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.story.merge import alike, burst_above, groups, redundancy, representatives


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_groups_are_connected_components(seed, count):
    random = np.random.default_rng(seed)
    linked = random.random((count, count)) < 0.2
    linked |= linked.T | np.eye(count, dtype=bool)
    reached = np.linalg.matrix_power(linked.astype(np.int64), count) > 0
    label = groups(linked)
    assert np.array_equal(label[:, None] == label[None, :], reached)


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_one_representative_a_group_and_it_is_worth_most(seed, count):
    random = np.random.default_rng(seed)
    group, worth = random.integers(0, 4, count), random.integers(0, 3, count).astype(float)
    kept = representatives(group, worth)
    assert sorted(group[kept]) == sorted(set(group))
    assert list(kept) == sorted(kept)
    for i in kept:
        assert worth[i] == worth[group == group[i]].max()


def test_near_duplicates_at_any_time_and_bursts_within_two_seconds():
    similarity = np.array([[1, 0.95, 0.80], [0.95, 1, 0.8], [0.80, 0.8, 1]])
    assert alike(similarity, np.array([0.0, 9e9, 1e3]), 0.9).tolist() == [
        [True, True, False],
        [True, True, False],
        [False, False, True],
    ]
    assert burst_above(0.9) < 0.8
    assert alike(similarity, np.array([0.0, 9e9, 2.0]), 0.9)[0, 2]
    assert not alike(similarity, np.array([0.0, 9e9, 2.1]), 0.9)[0, 2]
    unlike = np.array([[1, 0.5], [0.5, 1]])
    assert not alike(unlike, np.zeros(2), 0.9)[0, 1]


def test_redundancy_rises_up_to_near_duplicates():
    values = redundancy(np.array([[0.0, 0.79, 0.85, 0.9, 1.0]]), 0.9)[0]
    assert values.tolist()[:2] == [0, 0]
    assert 0 < values[2] < 1
    assert values.tolist()[3:] == [1, 1]
