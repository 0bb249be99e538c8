"""How surely photos show the subject and each role, each photo looked at once."""

from dataclasses import dataclass, field

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.protocols import PresenceModel
from core.story.directions import Directions
from core.story.pool import StoryPool


@dataclass(frozen=True, slots=True)
class Showing:
    """Calibrated probabilities of the subject and of every role, kept by row of the pool."""

    pool: StoryPool
    directions: Directions
    presence: PresenceModel
    _known: dict[int, Float64Array] = field(default_factory=dict)

    def look(self, rows: Int64Array) -> None:
        """Look at photos all at once: reading the words is what takes time."""
        fresh = np.array([row for row in rows.tolist() if row not in self._known], np.int64)
        if not len(fresh):
            return
        phrases = list(dict.fromkeys(self._phrases))
        found = self.presence.probabilities(phrases, self.pool.vectors(fresh)).astype(np.float64)
        spread = found[[phrases.index(phrase) for phrase in self._phrases]]
        self._known.update(zip(fresh.tolist(), spread.T, strict=True))

    def subject(self, rows: Int64Array) -> Float64Array:
        """How surely each photo shows the subject, (n)."""
        return np.asarray(self._columns(rows)[0], np.float64)

    def roles(self, rows: Int64Array) -> Float64Array:
        """How surely each photo shows each role, (m, n)."""
        return self._columns(rows)[1:]

    @property
    def _phrases(self) -> tuple[str, ...]:
        return (self.directions.subject, *self.directions.queries)

    def _columns(self, rows: Int64Array) -> Float64Array:
        self.look(rows)
        columns = [self._known[row] for row in rows.tolist()]
        return np.array(columns, np.float64).reshape(len(rows), len(self._phrases)).T
