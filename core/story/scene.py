"""A window as composers see it: distinct candidates, roles, and how they fit, as arrays."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.story import Role
from core.story.directions import UNORDERED

Path = tuple[int, ...]
"""`path[j]` is the candidate in role j, OPEN where the role is not filled."""
OPEN = -1


@dataclass(frozen=True, slots=True)
class Scene:
    """Candidates in time order (c of them), none alike, and what they are worth in m roles.

    `rows` are their rows in the pool. `gain` (m, c) is what Φ adds up; `presence` (m, c) and
    `subject` (c) are calibrated probabilities; `allowed` (m, c) says who may play what;
    `redundancy` (c, c) is 0 for unlike photos and nears 1 for near-duplicates. At
    most `quota` photos come from one `chapter` (c).
    """

    rows: Int64Array
    seconds: Float64Array
    roles: tuple[Role, ...]
    gain: Float64Array
    presence: Float64Array
    subject: Float64Array
    allowed: BoolArray
    redundancy: Float64Array
    chapter: Int64Array
    quota: int
    min_size: int
    max_size: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def chapters(self) -> int:
        """How many parts of the window a bundle should span."""
        return len(np.unique(self.chapter))


def in_order(scene: Scene, path: Path) -> bool:
    """Whether roles with a place in time order come in that order (equal times may)."""
    placed = [
        (role.position, scene.seconds[photo])
        for role, photo in zip(scene.roles, path, strict=True)
        if photo != OPEN and role.position != UNORDERED
    ]
    return all(a[1] <= b[1] for a in placed for b in placed if a[0] < b[0])


def photos_of(path: Path) -> tuple[int, ...]:
    """The candidates of a path, in time order."""
    return tuple(sorted(photo for photo in path if photo != OPEN))
