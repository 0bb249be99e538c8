"""BundleWeaver's search: from one seed, a beam of paths that each fill the role still missing."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray
from core.progress import Progress
from core.story.directions import UNORDERED
from core.story.scene import OPEN, Path, Scene, photos_of
from core.story.scoring import path_score


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """Paths kept a step (B_u) and candidates tried for each missing role (C)."""

    width: int = 4
    candidates: int = 5


def weave(scene: Scene, seed: int, options: BeamOptions, progress: Progress) -> list[Path]:
    """Every completed path from candidate `seed`, each set of photos once, best Φ first.

    A path is complete when it has the brief's smallest size (or as many photos as can be
    had) and lacks no required role that it could still fill; it grows on to `max_size`.
    """
    nothing: Path = (OPEN,) * len(scene.roles)
    beam = [
        _filled(nothing, role, seed)
        for role in _open_roles(scene, nothing)
        if scene.allowed[role, seed]
    ]
    completed: dict[tuple[int, ...], Path] = {}
    while beam:
        progress.check()
        grown: dict[Path, float] = {}
        for path in beam:
            following = _extensions(scene, path, options.candidates)
            grown.update((longer, path_score(scene.gain, longer)) for longer in following)
            if _complete(scene, path, bool(following)):
                _keep_better(scene, completed, path)
        beam = sorted(grown, key=lambda path: (-grown[path], path))[: options.width]
    return sorted(completed.values(), key=lambda path: (-path_score(scene.gain, path), path))


def fits(scene: Scene, path: Path, role: int) -> BoolArray:
    """Which candidates may take an open role of a path: allowed, unused, in order, in quota."""
    possible = scene.allowed[role].copy()
    used = photos_of(path)
    possible[list(used)] = False
    position = scene.roles[role].position
    for other, photo in enumerate(path):
        if photo == OPEN or UNORDERED in (position, scene.roles[other].position):
            continue
        if scene.roles[other].position < position:
            possible &= scene.seconds >= scene.seconds[photo]
        elif scene.roles[other].position > position:
            possible &= scene.seconds <= scene.seconds[photo]
    told, count = np.unique(scene.chapter[list(used)], return_counts=True)
    possible &= ~np.isin(scene.chapter, told[count >= scene.quota])
    return np.asarray(possible)


def _extensions(scene: Scene, path: Path, candidates: int) -> list[Path]:
    """The path with one more role filled; required roles come before the others."""
    if len(photos_of(path)) >= scene.max_size:
        return []
    longer: list[Path] = []
    open_roles = _open_roles(scene, path)
    required = [j for j in open_roles if scene.roles[j].required]
    for role in required:
        longer += _best(scene, path, role, candidates)
    if not longer:
        for role in open_roles:
            longer += _best(scene, path, role, candidates)
    return longer


def _open_roles(scene: Scene, path: Path) -> list[int]:
    """The roles not filled, equal ones (moments) once."""
    first = {scene.roles[j]: j for j in range(len(path) - 1, -1, -1) if path[j] == OPEN}
    return sorted(first.values())


def _best(scene: Scene, path: Path, role: int, candidates: int) -> list[Path]:
    possible = np.flatnonzero(fits(scene, path, role))
    order = np.argsort(-scene.gain[role, possible], kind="stable")[:candidates]
    return [_filled(path, role, int(photo)) for photo in possible[order]]


def _complete(scene: Scene, path: Path, may_grow: bool) -> bool:
    size = len(photos_of(path))
    if size < 2:
        return False
    lacking = any(
        role.required and photo == OPEN for role, photo in zip(scene.roles, path, strict=True)
    )
    return not may_grow or (size >= scene.min_size and not lacking)


def _keep_better(scene: Scene, completed: dict[tuple[int, ...], Path], path: Path) -> None:
    known = completed.get(photos_of(path))
    if known is None or path_score(scene.gain, path) > path_score(scene.gain, known):
        completed[photos_of(path)] = path


def _filled(path: Path, role: int, photo: int) -> Path:
    return (*path[:role], photo, *path[role + 1 :])
