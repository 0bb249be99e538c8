"""A bundle being judged: a path in its scene, with what the library knows of its photos."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.domain.photo import PhotoId
from core.domain.story import RoledPhoto, StoryPlan
from core.protocols import PresenceModel
from core.story.directions import MOMENT
from core.story.pool import StoryPool
from core.story.scene import OPEN, Path, Scene, photos_of
from core.story.scoring import path_score


@dataclass(frozen=True, slots=True)
class Draft:
    """A path, its scene and pool; photos are always in time order."""

    plan: StoryPlan
    pool: StoryPool
    presence: PresenceModel
    scene: Scene
    path: Path
    subject_visible: bool = True
    relaxed: str = ""

    @property
    def members(self) -> Int64Array:
        """The chosen candidates of the scene, in time order."""
        return np.array(photos_of(self.path), np.int64)

    @property
    def rows(self) -> Int64Array:
        """The chosen photos' rows in the pool, in time order."""
        return self.scene.rows[self.members]

    @property
    def ids(self) -> frozenset[int]:
        """The chosen photos."""
        return frozenset(int(i) for i in self.pool.ids[self.rows])

    @property
    def phi(self) -> float:
        """Φ of the path."""
        return path_score(self.scene.gain, self.path)

    def fit(self, role: int) -> float:
        """How surely the photo in a role shows it, 0 to 1; 0 where the role is open."""
        photo = self.path[role]
        return 0.0 if photo == OPEN else float(self.scene.presence[role, photo])

    @property
    def subject_fit(self) -> Float64Array:
        """How surely each chosen photo shows the subject."""
        return self.scene.subject[self.members]

    @property
    def credible(self) -> bool:
        """Whether a photo shows what the story is of: a required role, or the subject or any
        role where none is required, from the probability on below which nothing matches.
        """
        least = self.presence.nothing_matches_below
        required = [j for j, role in enumerate(self.scene.roles) if role.required]
        fits = [self.fit(j) for j in required or range(len(self.path))]
        shown = 0.0 if required else float(self.subject_fit.max(initial=0.0))
        return max([shown, *fits]) >= least

    def photos(self) -> tuple[RoledPhoto, ...]:
        """The photos in time order with their roles."""
        role_of = {photo: role for role, photo in enumerate(self.path) if photo != OPEN}
        return tuple(
            RoledPhoto(
                PhotoId(int(self.pool.ids[self.scene.rows[photo]])),
                self._called(role_of[photo]),
                self.fit(role_of[photo]),
            )
            for photo in photos_of(self.path)
        )

    def _called(self, role: int) -> str:
        """The role's name; a moment where the photo hardly shows it and nobody asked for it."""
        doubtful = self.fit(role) < self.presence.nothing_matches_below
        optional = not self.scene.roles[role].required
        return MOMENT if doubtful and optional else self.scene.roles[role].name
