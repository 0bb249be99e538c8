"""The exact composer against brute force and against the beam."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.highs import HighsSolver
from core.errors import Cancelled
from core.progress import Progress
from core.story.beam import BeamOptions, weave
from core.story.exact import REDUNDANCY_WEIGHT, compose_exactly, objective
from core.story.scene import OPEN, photos_of
from tests.core.story.conftest import every_path, lawful, random_scene

instances = st.integers(0, 10**6)


def solved(scene):
    return compose_exactly(scene, HighsSolver(), Progress(), 60.0)


@settings(max_examples=80, deadline=None)
@given(instances, st.booleans(), st.integers(1, 3), st.sampled_from([(2, 3), (3, 3)]))
def test_agrees_with_brute_force(seed, ordered, chapters, sizes):
    scene = random_scene(seed, ordered=ordered, chapters=chapters, sizes=sizes)
    found = solved(scene)
    aim = max(sizes[0], chapters)
    wishes = ((aim, True), (sizes[0], True), (aim, False), (sizes[0], False), (2, False))
    for smallest, required in wishes:
        lawful_paths = every_path(scene, smallest, required)
        if lawful_paths:
            break
    else:
        assert found is None
        return
    assert found is not None
    assert found.proven
    best = max(objective(scene, path) for path in lawful_paths)
    assert found.objective == pytest.approx(best, abs=1e-6)
    assert found.objective == pytest.approx(objective(scene, found.path))
    assert found.path in lawful_paths
    anyone = any(role.required for role in scene.roles)
    assert bool(found.relaxed) == (smallest < sizes[0] or (anyone and not required))


@settings(max_examples=40, deadline=None)
@given(instances)
def test_the_objective_is_what_the_program_says(seed):
    scene = random_scene(seed, photos=5)
    for path in every_path(scene)[:20]:
        total = sum(scene.gain[j, i] for j, i in enumerate(path) if i != OPEN)
        chosen = photos_of(path)
        for at, one in enumerate(chosen):
            for other in chosen[at + 1 :]:
                total -= REDUNDANCY_WEIGHT * scene.redundancy[one, other]
        assert objective(scene, path) == pytest.approx(total)


@settings(max_examples=40, deadline=None)
@given(instances, st.integers(1, 5))
def test_no_beam_beats_it_on_its_own_objective(seed, width):
    scene = random_scene(seed, photos=9, roles=4, sizes=(2, 4), chapters=2)
    found = solved(scene)
    for start in range(len(scene)):
        for path in weave(scene, start, BeamOptions(width, 4), Progress()):
            fulfils = all(
                not role.required or photo != OPEN
                for role, photo in zip(scene.roles, path, strict=True)
            )
            if found is not None and fulfils:
                assert objective(scene, path) <= found.objective + 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_large_instances_obey_the_rules(seed):
    scene = random_scene(seed, photos=60, roles=5, sizes=(3, 5), chapters=3, alike=0.02)
    found = solved(scene)
    assert found is not None
    assert lawful(scene, found.path)


def test_nothing_goes_together():
    scene = random_scene(0, photos=1, sizes=(2, 3))
    assert solved(scene) is None


def test_equal_times_are_in_order():
    scene = random_scene(3, photos=2, roles=2, sizes=(2, 2))
    scene.seconds[:] = 7.0
    scene.allowed[:] = np.array([[False, True], [True, False]])
    found = solved(scene)
    assert found is not None
    assert found.path == (1, 0)


def test_is_cancellable():
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        compose_exactly(random_scene(1), HighsSolver(), progress, 60.0)
