"""Bootstrap intervals: they cover what they should, pair, and respect clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmark.intervals import Bootstrap, Statistic


def covered(truth, draw, statistic=Statistic.MEAN, trials=300):
    """The share of intervals over drawn data that hold the truth."""
    held = 0
    for trial in range(trials):
        values, clusters = draw(np.random.default_rng(trial))
        interval = Bootstrap(trial, 400).interval(values, statistic, clusters)
        held += interval.low <= truth <= interval.high
    return held / trials


def test_intervals_of_a_share_cover_it_about_95_times_in_100():
    def draw(random):
        return (random.random(150) < 0.3).astype(float), None

    assert 0.90 <= covered(0.3, draw) <= 0.99


def test_intervals_of_a_median_cover_it_about_95_times_in_100():
    def draw(random):
        return random.exponential(1.0, 150), None

    assert 0.90 <= covered(np.log(2), draw, Statistic.MEDIAN) <= 0.99


def test_clusters_are_what_makes_dependent_queries_cover():
    def draw(random, clustered):
        values = np.repeat((random.random(40) < 0.4).astype(float), 5)
        return values, [str(i // 5) for i in range(200)] if clustered else None

    assert covered(0.4, lambda random: draw(random, True)) >= 0.88
    assert covered(0.4, lambda random: draw(random, False)) <= 0.75


def test_resampled_means_have_the_standard_error_of_the_mean():
    values = np.random.default_rng(3).normal(size=400)
    figures = Bootstrap(1, 4000).figures(values)
    assert figures.shape == (4000,)
    assert figures.std() == pytest.approx(values.std() / 20, rel=0.06)
    assert figures.mean() == pytest.approx(values.mean(), abs=0.01)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    values = np.random.default_rng(3).normal(size=50)
    assert Bootstrap(5).interval(values) == Bootstrap(5).interval(values)
    assert Bootstrap(5).interval(values) != Bootstrap(6).interval(values)


def test_pairing_takes_away_what_both_systems_share():
    random = np.random.default_rng(0)
    hardness = random.normal(0, 10, 200)
    a, b = hardness + 1.0, hardness + random.normal(0, 0.1, 200)
    bootstrap = Bootstrap(0)
    differences = bootstrap.figures(a) - bootstrap.figures(b)
    assert np.allclose(differences, bootstrap.figures(a - b))
    assert bootstrap.percentiles(differences)[0] > 0.9


def test_a_constant_has_no_width():
    interval = Bootstrap(0, 100).interval(np.full(30, 0.5))
    assert (interval.value, interval.low, interval.high) == (0.5, 0.5, 0.5)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.integers(0, 3),
    st.sampled_from(Statistic),
)
def test_every_resample_is_a_statistic_of_whole_clusters(values, seed, statistic):
    data = np.array(values, float)
    clusters = [str(i // 2) for i in range(len(values))]
    bootstrap = Bootstrap(seed, 7)
    figures = bootstrap.figures(data, statistic, clusters)
    members = np.array([i // 2 for i in range(len(values))])
    (counts,) = list(bootstrap._counts(members))
    take = np.median if statistic is Statistic.MEDIAN else np.mean
    expected = [take(np.repeat(data, row[members])) for row in counts]
    assert counts.sum(1).tolist() == [members.max() + 1] * 7
    assert figures == pytest.approx(expected)
