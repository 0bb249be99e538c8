"""Where the search begins: diverse seeds among the nearest neighbours of brief and roles."""

import numpy as np

from core.domain.arrays import Float64Array, Int64Array
from core.domain.story import Relation
from core.story.directions import MOMENT, Directions
from core.story.pool import NONE, StoryPool
from core.story.scoring import gains

_NEIGHBOURS = 10
"""Nearest neighbours of each query that may become seeds."""
_DIVERSITY = 0.5
"""How much likeness to an earlier seed costs (maximal marginal relevance)."""


def neighbours(pool: StoryPool, directions: Directions) -> list[Int64Array]:
    """The rows of the nearest photos to the subject and to each role, one array a query."""
    named = [j for j, role in enumerate(directions.roles) if role.name != MOMENT]
    queries = np.vstack([directions.subject_vector[None], directions.role_vectors[named]])
    found, _ = pool.index.search(queries, _NEIGHBOURS, within=pool.ids)
    return [pool.rows_of(row) for row in found]


def diverse_seeds(
    pool: StoryPool,
    directions: Directions,
    relation: Relation,
    count: int,
    subject_weight: float,
) -> list[int]:
    """At most `count` rows, best first: relevant, unlike each other, from different sessions.

    Relevance is the best gain in any role. Each next seed maximises relevance − ½ · its
    greatest cosine to the seeds before it, among sessions (trips for a trip story) that have
    no seed yet as long as there are any.
    """
    near = neighbours(pool, directions)
    rows = np.unique(np.concatenate(near)) if near else np.empty(0, np.int64)
    vectors = pool.vectors(rows)
    gain = gains(directions.role_vectors, directions.subject_vector, vectors, subject_weight)
    likeness = (vectors @ vectors.T).astype(np.float64)
    group = _groups(pool, rows, relation)
    return [int(rows[i]) for i in _spread(gain.max(axis=0, initial=0.0), likeness, group, count)]


def _groups(pool: StoryPool, rows: Int64Array, relation: Relation) -> Int64Array:
    number = (pool.trip if relation is Relation.TRIP else pool.session)[rows]
    return np.where(number == NONE, -2 - rows, number)  # alone, each is a group of its own


def _spread(
    relevance: Float64Array, likeness: Float64Array, group: Int64Array, count: int
) -> list[int]:
    chosen: list[int] = []
    while len(chosen) < min(count, len(relevance)):
        worth = relevance - _DIVERSITY * likeness[:, chosen].max(axis=1, initial=0.0)
        fresh = ~np.isin(group, group[chosen])
        fresh[chosen] = False
        worth = np.where(fresh, worth, worth - 10.0)  # a used session comes after all others
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(worth)))
    return chosen
