"""Who may play what, and how many moments fill a bundle up."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.story import Relation, StoryPlan
from core.protocols import PresenceModel
from core.story.clock_words import contradicted
from core.story.directions import MOMENT, Directions
from core.story.pool import StoryPool

_RIVAL_SHARE = 0.5
"""A photo plays no role that it shows half as surely as another one."""


@dataclass(frozen=True, slots=True)
class Casting:
    """Decides for one plan which photos may be cast in which roles."""

    pool: StoryPool
    plan: StoryPlan
    directions: Directions
    presence: PresenceModel
    unplaced: bool = False
    """Whether the brief names a place that neither the gazetteer nor any photo's words know."""

    @property
    def bound(self) -> bool:
        """Whether a trip, a time or a place says what belongs to the story, whatever it shows."""
        placed = self.plan.where is not None or (bool(self.plan.named) and not self.unplaced)
        on_trip = self.plan.relation is Relation.TRIP and not self.unplaced
        return on_trip or placed or self.plan.when is not None

    @property
    def doubtful_below(self) -> float:
        """A role needs a probability above the (geometric) middle of absent and present."""
        return float(np.sqrt(self.presence.absent_below * self.presence.present_above))

    def allowed(self, rows: Int64Array, subject: Float64Array, presence: Float64Array) -> BoolArray:
        """Who may play what, (m, n), from probabilities of the subject (n) and roles (m, n).

        A photo must show the role, about as surely as any other role, at an hour that doesn't
        contradict it. A role that asks for nothing but the subject (a moment) takes any photo
        of a bound story, else one that shows the subject.
        """
        roles, columns = self.directions.roles, self.pool.columns
        plain = np.array([self.directions.asks_only_subject(role) for role in roles])[:, None]
        hour, timed = self.pool.hour[rows], columns.timed[rows]
        wrong = np.array([contradicted(role.query, hour, timed) for role in roles])
        rival = np.where(plain | wrong, 0.0, presence).max(axis=0, initial=0.0)
        shown = (presence >= self.doubtful_below) & (presence >= _RIVAL_SHARE * rival)
        moment = self.bound | (subject >= self.doubtful_below)
        return np.asarray(np.where(plain, moment, shown & ~wrong), np.bool_)

    def kept_roles(self, allowed: BoolArray, extra_moments: int) -> Int64Array:
        """The plan's roles, and as many moments as may be needed for the size aimed at.

        That is the brief's smallest size. A trip, and what recurs, is told at length, unless
        the brief lists its parts (all are required).
        """
        brief, roles = self.plan.brief, self.directions.roles
        moments = np.array([role.name == MOMENT for role in roles])
        told = int(allowed[~moments].any(axis=1).sum())
        long = self.plan.relation in (Relation.TRIP, Relation.RECURRING)
        listed = all(role.required for role in self.plan.roles)
        spare = brief.max_size if long and not listed else max(brief.min_size - told, 0)
        return np.flatnonzero(~moments | (np.cumsum(moments) <= spare + extra_moments))
