"""The exact composer: the best bundle of one window as a mixed-integer program.

Binaries a_ij: photo i plays role j; p_ik: the alike photos i and k are both there.

    max  Σ_ij [(1−λ) fit_ij + λ cos(e_q, e_i)] a_ij − ρ Σ_ik red_ik p_ik
    s.t. Σ_i a_ij ≤ 1 (= 1 for required roles)     each role j
         Σ_j a_ij ≤ 1                              each photo i
         p_ik ≥ Σ_j a_ij + Σ_j a_kj − 1            each pair with red_ik > 0
         smallest size ≤ Σ a_ij ≤ largest size;  Σ_{i in chapter} a_ij ≤ quota
         Σ_{i: t_i ≥ t} a_ij + Σ_{i: t_i < t} a_ij' ≤ 1    roles j before j', each time t

The smallest size is a photo a chapter where that can be, else the brief's. The window holds
every candidate, so that all chosen lie within it by construction. Pairs ij that cannot be part
of a bundle as good as one that a narrow beam finds get no column.
"""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float64Array
from core.domain.mip import MipModel, MipStatus
from core.domain.mip_rows import Rows
from core.progress import Progress
from core.protocols import MipSolver
from core.story.beam import BeamOptions, weave
from core.story.directions import UNORDERED
from core.story.reduce import promising
from core.story.scene import OPEN, Path, Scene, photos_of

REDUNDANCY_WEIGHT = 0.5
"""ρ: what two photos as alike as can be without being merged cost, in units of cosine."""


@dataclass(frozen=True, slots=True)
class Exact:
    """The best path of a window, its objective, and whether that is proven; what was relaxed."""

    path: Path
    objective: float
    proven: bool
    relaxed: str = ""


@dataclass(frozen=True, slots=True)
class _Demand:
    smallest: int
    required: bool
    text: str


def compose_exactly(
    scene: Scene, solver: MipSolver, progress: Progress, time_limit_s: float
) -> Exact | None:
    """The best path of the scene, None where not even two photos go together.

    Where the brief cannot be met as it stands, required roles are given up first, then the
    smallest size; `relaxed` says so. Raises SolverError, Cancelled.
    """
    known = _known_paths(scene, progress)
    for demand in _demands(scene):
        least = max((objective(scene, p) for p in known if _meets(scene, p, demand)), default=None)
        reach = scene.allowed if least is None else promising(scene, least)
        columns = _Columns(scene, reach)
        model = _program(scene, columns, demand)
        solution = solver.solve(model, progress, time_limit_s)
        if solution.x is not None:
            path = columns.path(solution.x)
            proven = solution.status is MipStatus.OPTIMAL
            return Exact(path, objective(scene, path), proven, demand.text)
    return None


def objective(scene: Scene, path: Path) -> float:
    """What the program maximises, of one path."""
    gain = sum(float(scene.gain[j, i]) for j, i in enumerate(path) if i != OPEN)
    chosen = list(photos_of(path))
    redundancy = np.triu(scene.redundancy[np.ix_(chosen, chosen)], 1).sum()
    return gain - REDUNDANCY_WEIGHT * float(redundancy)


def _demands(scene: Scene) -> list[_Demand]:
    """What is asked of the bundle, hardest first; a photo a chapter is a wish, not a demand."""
    sizes = sorted({scene.min_size, max(scene.min_size, scene.chapters)}, reverse=True)
    demands = [_Demand(size, True, "") for size in sizes]
    if any(role.required for role in scene.roles):
        text = "a required role could not be filled"
        demands += [_Demand(size, False, text) for size in sizes]
    if scene.min_size > 2:
        demands.append(_Demand(2, False, "fewer photos go together than were asked for"))
    return demands


def _known_paths(scene: Scene, progress: Progress) -> list[Path]:
    """Good paths that a narrow beam finds from each role's best photo."""
    worth = np.where(scene.allowed, scene.gain, -np.inf)
    starts = sorted({int(row.argmax()) for row in worth if np.isfinite(row).any()})
    return [path for start in starts for path in weave(scene, start, BeamOptions(), progress)]


def _meets(scene: Scene, path: Path, demand: _Demand) -> bool:
    lacking = any(r.required and i == OPEN for r, i in zip(scene.roles, path, strict=True))
    return len(photos_of(path)) >= demand.smallest and not (demand.required and lacking)


class _Columns:
    """Numbers the binaries: a_ij of pairs within reach, then p_ik of their redundant photos."""

    def __init__(self, scene: Scene, reach: BoolArray) -> None:
        self._roles = len(scene.roles)
        roles, photos = np.nonzero(reach)
        self.plays = list(zip(roles.tolist(), photos.tolist(), strict=True))
        self.by_role: list[list[int]] = [[] for _ in scene.roles]
        self.by_photo: list[list[int]] = [[] for _ in range(len(scene))]
        for column, (role, photo) in enumerate(self.plays):
            self.by_role[role].append(column)
            self.by_photo[photo].append(column)
        there = reach.any(axis=0)
        first, second = np.nonzero(np.triu(scene.redundancy > 0, 1) & np.outer(there, there))
        self.pairs = list(zip(first.tolist(), second.tolist(), strict=True))

    def path(self, x: Float64Array) -> Path:
        """The path that a solution chooses."""
        path = [OPEN] * self._roles
        for column in np.flatnonzero(x[: len(self.plays)] > 0.5):
            role, photo = self.plays[column]
            path[role] = photo
        return tuple(path)


def _program(scene: Scene, columns: _Columns, demand: _Demand) -> MipModel:
    rows = Rows()
    for role, its in zip(scene.roles, columns.by_role, strict=True):
        rows.add_sum(its, 1.0 if role.required and demand.required else 0.0, 1.0)
    for its in filter(None, columns.by_photo):
        rows.add_sum(its, 0.0, 1.0)
    rows.add_sum(range(len(columns.plays)), demand.smallest, scene.max_size)
    for number in np.unique(scene.chapter):
        members = np.flatnonzero(scene.chapter == number)
        rows.add_sum((c for i in members for c in columns.by_photo[i]), 0.0, scene.quota)
    _add_order(scene, columns, rows)
    _add_redundancy(columns, rows)
    gain = [scene.gain[role, photo] for role, photo in columns.plays]
    cost = [-REDUNDANCY_WEIGHT * scene.redundancy[pair] for pair in columns.pairs]
    return rows.maximise(np.array(gain + cost, np.float64))


def _add_order(scene: Scene, columns: _Columns, rows: Rows) -> None:
    """Role j may not come at or after any time t while a later role comes before t."""
    places = [(role.position, j) for j, role in enumerate(scene.roles)]
    ordered = [place for place in places if place[0] != UNORDERED]
    for before, after in ((a[1], b[1]) for a in ordered for b in ordered if a[0] < b[0]):
        for time in sorted({_at(scene, columns, c) for c in columns.by_role[before]}):
            late = [c for c in columns.by_role[before] if _at(scene, columns, c) >= time]
            early = [c for c in columns.by_role[after] if _at(scene, columns, c) < time]
            if early:
                rows.add_sum(late + early, 0.0, 1.0)


def _at(scene: Scene, columns: _Columns, column: int) -> float:
    return float(scene.seconds[columns.plays[column][1]])


def _add_redundancy(columns: _Columns, rows: Rows) -> None:
    for number, (one, other) in enumerate(columns.pairs):
        both = columns.by_photo[one] + columns.by_photo[other]
        pair = len(columns.plays) + number
        rows.add([*((c, 1.0) for c in both), (pair, -1.0)], -np.inf, 1.0)
