import math

from hypothesis import given
from hypothesis import strategies as st

from core.domain.photo import PhotoId
from core.domain.retrieval import Ranking
from core.retrieval.fusion import WeightedRanking, fuse

orders = st.permutations(range(1, 9)).map(lambda ids: tuple(map(PhotoId, ids)))
rankings = st.lists(st.tuples(orders, st.integers(0, 8), st.floats(0, 1)), max_size=4)


def weighted(ids, weight=1.0):
    return WeightedRanking(Ranking("t", tuple(map(PhotoId, ids)), (0.0,) * len(ids)), weight)


@given(rankings, st.frozensets(st.integers(1, 12).map(PhotoId)), st.floats(1, 100))
def test_scores_are_the_formula(parts, candidates, tau):
    inputs = [weighted(ids[:length], weight) for ids, length, weight in parts]
    fused = fuse(inputs, candidates, tau)
    assert {photo for photo, _ in fused} == candidates
    for photo, score in fused:
        gains = (
            part.weight / (part.ranking.photo_ids.index(photo) + 1 + tau)
            for part in inputs
            if photo in part.ranking.photo_ids
        )
        assert math.isclose(score, sum(gains), abs_tol=1e-12)
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))


@given(orders)
def test_one_ranking_keeps_its_order(ids):
    assert [photo for photo, _ in fuse([weighted(ids, 0.3)], ids, 60.0)] == list(ids)


def test_a_heavy_ranking_wins_over_a_light_one():
    heavy, light = weighted([1, 2, 3], 0.9), weighted([3, 2, 1], 0.1)
    assert [photo for photo, _ in fuse([heavy, light], [1, 2, 3], 60.0)] == [1, 2, 3]


def test_ties_by_id_and_photos_nobody_ranked_come_last():
    both = [weighted([5, 4]), weighted([4, 5])]
    assert [photo for photo, _ in fuse(both, [9, 5, 4], 60.0)] == [4, 5, 9]
    assert fuse(both, [9], 60.0) == [(9, 0.0)]
