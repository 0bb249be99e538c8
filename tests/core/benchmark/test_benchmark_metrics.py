"""The metrics against arithmetic done by hand, their properties, and brute force."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmark.metrics import (
    Ties,
    average_precision,
    ndcg,
    order,
    rank_in,
    recall_of_all,
    recall_of_one,
    set_scores,
    target_ranks,
    violations,
)

RANKED = [7, 3, 9, 1, 5]
photos = st.permutations(range(8))
some = st.sets(st.integers(0, 9), max_size=8)
cutoff = st.integers(1, 12)


class TestByHand:
    def test_rank_counts_better_photos_and_equals_against_the_target(self):
        # scores 0.9 0.5 0.5 0.1, target column 2: one better, two equal (itself among them) → 3
        # target column 1 by id: one better, and no equal one before it → 2
        scores = np.array([[0.9, 0.5, 0.5, 0.1], [0.9, 0.5, 0.5, 0.1]])
        assert target_ranks(scores, np.array([2, 1])).tolist() == [3, 3]
        assert target_ranks(scores, np.array([2, 1]), Ties.BY_ID).tolist() == [3, 2]

    def test_order_puts_relevant_photos_last_among_equals(self):
        scores, relevant = np.array([0.5, 0.9, 0.5]), np.array([True, False, False])
        assert order(scores, relevant) == [1, 2, 0]
        assert order(scores, relevant, Ties.BY_ID) == [1, 0, 2]

    def test_a_target_that_is_not_ranked_has_the_rank_that_missing_says(self):
        assert (rank_in(RANKED, 9, 100), rank_in(RANKED, 4, 100)) == (3, 100)

    def test_recall_of_one(self):
        # ranks 1, 5, 6 at k = 5: found, found, not
        assert recall_of_one(np.array([1, 5, 6]), 5).tolist() == [1.0, 1.0, 0.0]

    def test_recall_of_all(self):
        # targets 3, 1, 8; the first 4 hold 3 and 1 → 2/3; the first 3 hold 3 alone → 1/3
        assert recall_of_all(RANKED, {3, 1, 8}, 4) == pytest.approx(2 / 3)
        assert recall_of_all(RANKED, {3, 1, 8}, 3) == pytest.approx(1 / 3)

    def test_average_precision(self):
        # hits at 2 and 4: P(2) = 1/2, P(4) = 2/4; |GT| = 3, K = 5 → (1/2 + 1/2)/3 = 1/3
        assert average_precision(RANKED, {3, 1, 8}, 5) == pytest.approx(1 / 3)
        # K = 2 divides by min(3, 2): (1/2)/2 = 1/4
        assert average_precision(RANKED, {3, 1, 8}, 2) == pytest.approx(1 / 4)

    def test_average_precision_divides_by_the_cutoff_of_a_long_answer(self):
        # five targets, K = 2, both first places right: (1/1 + 2/2)/min(5, 2) = 1
        assert average_precision(RANKED, {7, 3, 9, 1, 5}, 2) == 1.0

    def test_ndcg(self):
        # hits at 1 and 3: DCG = 1/log2(2) + 1/log2(4) = 1 + 0.5
        # three targets, K = 10: ideal = 1 + 1/log2(3) + 1/log2(4)
        ideal = 1 + 1 / math.log2(3) + 0.5
        assert ndcg(RANKED, {7, 9, 8}, 10) == pytest.approx(1.5 / ideal)

    def test_violations(self):
        # unwanted 7 and 1: one in the first 2 → 1/2, two in the first 4 → 1/2, in 10 shown 5 → 2/5
        assert violations(RANKED, {7, 1}, 2) == 0.5
        assert violations(RANKED, {7, 1}, 4) == 0.5
        assert violations(RANKED, {7, 1}, 10) == pytest.approx(0.4)
        assert violations([], {7}, 10) == 0.0

    def test_set_scores(self):
        # found 1 2 3 4, wanted 3 4 5: both = 2 → precision 2/4, recall 2/3, F1 = 2·2/(4+3) = 4/7
        scores = set_scores({1, 2, 3, 4}, {3, 4, 5})
        assert (scores.precision, scores.recall) == (0.5, pytest.approx(2 / 3))
        assert (scores.f1, scores.exact_match) == (pytest.approx(4 / 7), 0.0)
        assert set_scores([5, 4, 3], {3, 4, 5}).exact_match == 1.0

    def test_set_scores_of_empty_sets(self):
        assert set_scores([], []).f1 == 1.0
        assert set_scores([], {1}).precision == 0.0
        assert set_scores({1}, []).recall == 0.0

    def test_no_targets_score_nothing(self):
        for metric in (recall_of_all, average_precision, ndcg):
            assert metric(RANKED, set(), 5) == 0.0


@given(photos, some, cutoff)
def test_shares_lie_between_0_and_1(ranked, relevant, k):
    for metric in (recall_of_all, average_precision, ndcg, violations):
        assert 0.0 <= metric(ranked, relevant, k) <= 1.0 + 1e-12


@given(photos, some, cutoff, st.randoms())
def test_what_comes_after_the_cutoff_changes_nothing(ranked, relevant, k, random):
    tail = ranked[k:]
    random.shuffle(tail)
    other = [*ranked[:k], *tail]
    for metric in (recall_of_all, average_precision, ndcg, violations):
        assert metric(other, relevant, k) == metric(ranked, relevant, k)


@given(photos, st.sets(st.integers(0, 7), min_size=1), cutoff)
def test_a_perfect_ranking_scores_1(ranked, relevant, k):
    perfect = sorted(ranked, key=lambda photo: photo not in relevant)
    assert average_precision(perfect, relevant, k) == pytest.approx(1.0)
    assert ndcg(perfect, relevant, k) == pytest.approx(1.0)
    assert recall_of_all(perfect, relevant, k) == min(k, len(relevant)) / len(relevant)


@given(photos, st.sets(st.integers(0, 7), min_size=1), cutoff)
def test_moving_a_relevant_photo_up_never_harms(ranked, relevant, k):
    for i in range(1, len(ranked)):
        if ranked[i] in relevant:
            better = [*ranked[: i - 1], ranked[i], ranked[i - 1], *ranked[i + 1 :]]
            for metric in (recall_of_all, average_precision, ndcg):
                assert metric(better, relevant, k) >= metric(ranked, relevant, k) - 1e-12


@given(photos, some, cutoff)
def test_average_precision_against_its_definition(ranked, relevant, k):
    total = sum(
        sum(photo in relevant for photo in ranked[:i]) / i
        for i in range(1, min(k, len(ranked)) + 1)
        if ranked[i - 1] in relevant
    )
    expected = total / min(len(relevant), k) if relevant else 0.0
    assert average_precision(ranked, relevant, k) == pytest.approx(expected)


@given(st.sets(st.integers(0, 4), min_size=1), st.integers(1, 5))
def test_ndcg_against_the_best_of_all_orders(relevant, k):
    def gain(order_):
        return sum(1 / math.log2(i + 2) for i, photo in enumerate(order_[:k]) if photo in relevant)

    best = max(gain(one) for one in itertools.permutations(range(5)))
    for one in ([0, 1, 2, 3, 4], [4, 2, 0, 1, 3]):
        assert ndcg(one, relevant, k) == pytest.approx(gain(one) / best)


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=6),
    st.integers(0, 4),
)
def test_ranks_against_sorting(rows, target):
    scores = np.array(rows, np.float32)
    targets = np.full(len(rows), target)
    for ties, last in ((Ties.AGAINST, True), (Ties.BY_ID, False)):
        expected = []
        for row in rows:
            keys = [(-value, last and i == target, i) for i, value in enumerate(row)]
            expected.append(sorted(range(5), key=keys.__getitem__).index(target) + 1)
            relevant = np.arange(5) == target
            assert (
                order(np.array(row, np.float32), relevant, ties).index(target) + 1 == expected[-1]
            )
        assert target_ranks(scores, targets, ties).tolist() == expected


@given(some, some)
def test_set_f1_is_the_harmonic_mean(found, wanted):
    scores = set_scores(found, wanted)
    together = scores.precision + scores.recall
    expected = 2 * scores.precision * scores.recall / together if together else 0.0
    assert scores.f1 == pytest.approx(expected)
    assert (scores.exact_match == 1.0) == (found == wanted)
