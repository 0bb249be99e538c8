"""Makes scenes of windows: shortlists, merges what is alike, measures, casts."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array, Float64Array, Int64Array
from core.domain.story import Relation, StoryPlan
from core.protocols import PresenceModel
from core.story.casting import Casting
from core.story.chapters import chapters
from core.story.directions import MOMENT, Directions
from core.story.merge import alike, groups, redundancy, representatives
from core.story.pool import StoryPool
from core.story.scene import Scene
from core.story.scoring import gains
from core.story.showing import Showing

_EVERYTHING_UP_TO = 240
_BEST_OF_EACH_ROLE = 40
_MOMENT_COST = 0.1
"""What a moment's cosine must exceed a role's by to be preferred to it."""


@dataclass(frozen=True, slots=True)
class SceneMaker:
    """Makes scenes for one plan over one pool."""

    pool: StoryPool
    plan: StoryPlan
    directions: Directions
    presence: PresenceModel
    showing: Showing
    casting: Casting
    subject_weight: float

    @classmethod
    def of(
        cls,
        pool: StoryPool,
        plan: StoryPlan,
        directions: Directions,
        presence: PresenceModel,
        subject_weight: float,
        unplaced: bool = False,
    ) -> "SceneMaker":
        """A maker with nothing looked at yet."""
        showing = Showing(pool, directions, presence)
        casting = Casting(pool, plan, directions, presence, unplaced)
        return cls(pool, plan, directions, presence, showing, casting, subject_weight)

    def shortlist(self, window: Int64Array) -> Int64Array:
        """All of a small window; of a large one, each role's best in each chapter."""
        if len(window) <= _EVERYTHING_UP_TO:
            return window
        queries = np.vstack([self.directions.subject_vector[None], self.directions.role_vectors])
        chapter = self._chapters(window)
        parts = [window[chapter == number] for number in np.unique(chapter)]
        most = max(_BEST_OF_EACH_ROLE // len(parts), 5)
        distinct = np.unique(queries, axis=0)
        found = [
            self.pool.index.search(distinct, most, within=self.pool.ids[part])[0].ravel()
            for part in parts
        ]
        return np.sort(self.pool.rows_of(np.unique(np.concatenate(found))))

    def make(self, window: Int64Array, seed: int | None = None, extra_moments: int = 0) -> Scene:
        """The scene of a window (ascending rows); near-duplicates and bursts are merged.

        Of photos that are alike, the one worth most in its best role stays, or the `seed` row.
        """
        rows = self.shortlist(window)
        if seed is not None:
            rows = np.union1d(rows, [seed])
        vectors = self.pool.vectors(rows)
        similarity = (vectors @ vectors.T).astype(np.float64)
        gain = self._gains(vectors)
        linked = alike(similarity, self.pool.seconds[rows], self.presence.near_duplicate_above)
        worth = np.where(rows == seed, np.inf, gain.max(axis=0, initial=-np.inf))
        kept = representatives(groups(linked), worth)
        repeats = redundancy(similarity[np.ix_(kept, kept)], self.presence.near_duplicate_above)
        return self._scene(rows[kept], gain[:, kept], repeats, extra_moments)

    def _gains(self, vectors: Float32Array) -> Float64Array:
        to = self.directions
        gain = gains(to.role_vectors, to.subject_vector, vectors, self.subject_weight)
        moments = np.array([role.name == MOMENT for role in to.roles])
        return gain - np.where(moments, _MOMENT_COST, 0.0)[:, None]

    def _chapters(self, rows: Int64Array) -> Int64Array:
        """A trip in at most `max_size` parts, each a run of photos; any other story in one.

        A brief that lists its parts (all are required) says itself what the story spans.
        """
        named = bool(self.plan.roles) and all(role.required for role in self.plan.roles)
        if self.plan.relation is not Relation.TRIP or named:
            return np.zeros(len(rows), np.int64)
        return chapters(self.pool.day[rows], self.pool.seconds[rows], self.plan.brief.max_size)

    def _scene(
        self, rows: Int64Array, gain: Float64Array, repeats: Float64Array, extra_moments: int
    ) -> Scene:
        brief, chapter = self.plan.brief, self._chapters(rows)
        subject, presence = self.showing.subject(rows), self.showing.roles(rows)
        allowed = self.casting.allowed(rows, subject, presence)
        kept = self.casting.kept_roles(allowed, extra_moments)
        return Scene(
            rows=rows,
            seconds=self.pool.seconds[rows],
            roles=tuple(self.directions.roles[j] for j in kept),
            gain=gain[kept],
            presence=presence[kept],
            subject=subject,
            allowed=allowed[kept],
            redundancy=repeats,
            chapter=chapter,
            quota=-(-brief.max_size // max(len(np.unique(chapter)), 1)),
            min_size=brief.min_size,
            max_size=brief.max_size,
        )
