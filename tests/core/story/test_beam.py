"""The beam against exhaustive search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Cancelled
from core.progress import Progress
from core.story.beam import BeamOptions, weave
from core.story.scene import OPEN, photos_of
from core.story.scoring import gains, path_score
from tests.core.story.conftest import every_path, lawful, random_scene, without_requirements

EVERYTHING = BeamOptions(width=10**6, candidates=10**6)
instances = st.integers(0, 10**6)


@settings(max_examples=60, deadline=None)
@given(instances)
def test_phi_is_equation_5(seed):
    random = np.random.default_rng(seed)
    directions, photos = random.normal(size=(3, 5)), random.normal(size=(4, 5))
    subject, weight = random.normal(size=5), 0.3
    path = (int(random.integers(4)), OPEN, int(random.integers(4)))
    expected = np.mean(
        [
            (1 - weight) * directions[j] @ photos[i] + weight * subject @ photos[i]
            for j, i in ((0, path[0]), (2, path[2]))
        ]
    )
    gain = gains(
        directions.astype(np.float32),
        subject.astype(np.float32),
        photos.astype(np.float32),
        weight,
    )
    assert gain.shape == (3, 4)
    assert path_score(gain, path) == pytest.approx(expected, abs=1e-5)


def test_phi_of_nothing_is_zero():
    assert path_score(np.ones((2, 2)), (OPEN, OPEN)) == 0.0


@settings(max_examples=60, deadline=None)
@given(instances, st.booleans(), st.integers(1, 3))
def test_a_beam_of_unlimited_width_finds_everything(seed, ordered, chapters):
    scene = without_requirements(random_scene(seed, ordered=ordered, chapters=chapters))
    paths = every_path(scene)
    for start in range(len(scene)):
        expected: dict[tuple[int, ...], float] = {}
        for path in paths:
            if start in path:
                key = photos_of(path)
                score = path_score(scene.gain, path)
                expected[key] = max(score, expected.get(key, -1.0))
        found = weave(scene, start, EVERYTHING, Progress())
        assert {photos_of(p): pytest.approx(path_score(scene.gain, p)) for p in found} == expected


@settings(max_examples=60, deadline=None)
@given(instances, st.integers(1, 4), st.integers(1, 4))
def test_paths_obey_the_rules_and_are_distinct_sets_best_first(seed, width, candidates):
    scene = random_scene(seed, photos=8, roles=4, sizes=(3, 4))
    for start in range(len(scene)):
        found = weave(scene, start, BeamOptions(width, candidates), Progress())
        assert all(lawful(scene, path) and start in path for path in found)
        assert len({photos_of(path) for path in found}) == len(found)
        scores = [path_score(scene.gain, path) for path in found]
        assert scores == sorted(scores, reverse=True)


@settings(max_examples=60, deadline=None)
@given(instances)
def test_required_roles_are_played_wherever_they_can_be(seed):
    scene = random_scene(seed, photos=6, roles=3, ordered=False, sizes=(2, 3))
    required = [j for j, role in enumerate(scene.roles) if role.required]
    for path in weave(scene, 0, EVERYTHING, Progress()):
        if len(photos_of(path)) == scene.max_size:
            continue
        for role in required:
            spare = scene.allowed[role].copy()
            spare[list(photos_of(path))] = False
            assert path[role] != OPEN or not spare.any()


def test_is_cancellable():
    progress = Progress()
    progress.cancel()
    scene = without_requirements(random_scene(1))
    with pytest.raises(Cancelled):
        weave(scene, int(np.flatnonzero(scene.allowed.any(0))[0]), EVERYTHING, progress)
