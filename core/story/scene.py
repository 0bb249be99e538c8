"""A window as composers see it: distinct candidates, roles, and how they fit, as arrays."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float32Array, Float64Array, Int64Array
from core.domain.story import Relation, Role, StoryPlan
from core.protocols import PresenceModel
from core.story.chapters import chapters
from core.story.directions import MOMENT, UNORDERED, Directions
from core.story.merge import alike, groups, redundancy, representatives
from core.story.pool import StoryPool
from core.story.scoring import gains

Path = tuple[int, ...]
"""`path[j]` is the candidate in role j, OPEN where the role is not filled."""
OPEN = -1
_EVERYTHING_UP_TO = 240
_BEST_OF_EACH_ROLE = 40


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


@dataclass(frozen=True, slots=True)
class SceneMaker:
    """Makes scenes of windows for one plan."""

    pool: StoryPool
    plan: StoryPlan
    directions: Directions
    presence: PresenceModel
    subject_weight: float

    def make(self, window: Int64Array, seed: int | None = None, extra_moments: int = 0) -> Scene:
        """The scene of a window (ascending rows); near-duplicates and bursts are merged.

        Of photos that are alike, the one worth most in its best role stays, or the `seed` row.
        """
        rows = self._shortlist(window)
        if seed is not None:
            rows = np.union1d(rows, [seed])
        vectors = self.pool.vectors(rows)
        similarity = (vectors @ vectors.T).astype(np.float64)
        gain = self._gains(vectors)
        linked = alike(similarity, self.pool.seconds[rows], self.presence.near_duplicate_above)
        worth = np.where(rows == seed, np.inf, gain.max(axis=0, initial=-np.inf))
        kept = representatives(groups(linked), worth)
        return self._scene(rows[kept], vectors[kept], similarity[np.ix_(kept, kept)], extra_moments)

    def _gains(self, vectors: Float32Array) -> Float64Array:
        to = self.directions
        return gains(to.role_vectors, to.subject_vector, vectors, self.subject_weight)

    def _shortlist(self, window: Int64Array) -> Int64Array:
        """All of a small window; of a large one, each role's and chapter's best."""
        if len(window) <= _EVERYTHING_UP_TO:
            return window
        queries = np.vstack([self.directions.subject_vector[None], self.directions.role_vectors])
        chapter = self._chapters(window)
        parts = [window[chapter == number] for number in np.unique(chapter)]
        found = [
            self.pool.index.search(
                np.unique(queries, axis=0),
                max(_BEST_OF_EACH_ROLE // len(parts), 5),
                within=self.pool.ids[part],
            )[0].ravel()
            for part in parts
        ]
        return np.sort(self.pool.rows_of(np.unique(np.concatenate(found))))

    def _chapters(self, rows: Int64Array) -> Int64Array:
        """A trip in at most `max_size` parts, each a run of photos; any other story in one."""
        if self.plan.relation is not Relation.TRIP:
            return np.zeros(len(rows), np.int64)
        return chapters(self.pool.day[rows], self.pool.seconds[rows], self.plan.brief.max_size)

    def _scene(
        self,
        rows: Int64Array,
        vectors: Float32Array,
        similarity: Float64Array,
        extra_moments: int,
    ) -> Scene:
        brief = self.plan.brief
        words = (self.directions.subject, *self.directions.queries)
        presence = self.presence.probabilities(words, vectors).astype(np.float64)
        allowed = self._allowed(presence[0], presence[1:])
        chapter = self._chapters(rows)
        kept = self._kept_roles(allowed, extra_moments)
        return Scene(
            rows,
            self.pool.seconds[rows],
            tuple(self.directions.roles[j] for j in kept),
            self._gains(vectors)[kept],
            presence[1:][kept],
            presence[0],
            allowed[kept],
            redundancy(similarity, self.presence.near_duplicate_above),
            chapter,
            -(-brief.max_size // max(len(np.unique(chapter)), 1)),
            brief.min_size,
            brief.max_size,
        )

    def _allowed(self, subject: Float64Array, presence: Float64Array) -> BoolArray:
        """Who may play what: a role needs a photo that may show it.

        A role that asks for nothing but the subject (a moment) takes any photo where a trip, a
        time or a place says what belongs to the story, else one that may show the subject.
        """
        plan, least = self.plan, self.presence.absent_below
        bound = plan.relation is Relation.TRIP or plan.when is not None or plan.where is not None
        moment = np.array([self.directions.asks_only_subject(r) for r in self.directions.roles])
        shown = presence >= least
        return np.asarray(np.where(moment[:, None], bound | (subject >= least), shown), np.bool_)

    def _kept_roles(self, allowed: BoolArray, extra_moments: int) -> Int64Array:
        """The plan's roles, and as many moments as they lack of the size that is aimed at.

        That is the brief's smallest size; for a trip and for what recurs the largest.
        """
        brief = self.plan.brief
        moments = np.array([role.name == MOMENT for role in self.directions.roles])
        told = int(allowed[~moments].any(axis=1).sum())
        long = self.plan.relation in (Relation.TRIP, Relation.RECURRING)
        spare = max((brief.max_size if long else brief.min_size) - told, 0) + extra_moments
        return np.flatnonzero(~moments | (np.cumsum(moments) <= spare)).astype(np.int64)


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
