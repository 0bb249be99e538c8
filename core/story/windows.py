"""The windows that the exact composer tries: every role's best photos vote for them."""

from collections import Counter

from core.domain.arrays import Int64Array
from core.domain.story import Relation
from core.settings import StorySettings
from core.story.candidates import window_rows
from core.story.directions import Directions
from core.story.pool import NONE, StoryPool
from core.story.seeds import neighbours

_MOST = 12
"""Windows composed, those with most votes."""


def voted_windows(
    pool: StoryPool, directions: Directions, relation: Relation, settings: StorySettings
) -> list[Int64Array]:
    """The windows around the photo of each voted session (or trip) that most roles ask for.

    Each of the ten nearest photos of the subject and of each role has one vote. Most votes
    first, then the earlier window; a window inside an earlier one is left out.
    """
    near = [int(row) for rows in neighbours(pool, directions) for row in rows]
    run = pool.trip if relation is Relation.TRIP else pool.session
    photo_votes = Counter(near)
    votes = Counter(_key(int(run[row]), row) for row in near)
    best: dict[tuple[int, int], int] = {}
    for row in sorted(photo_votes, key=lambda row: (-photo_votes[row], row)):
        best.setdefault(_key(int(run[row]), row), row)
    order = sorted(votes, key=lambda key: (-votes[key], best[key]))
    windows: list[Int64Array] = []
    for key in order:
        rows = window_rows(pool, best[key], relation, settings)
        if not any(set(rows.tolist()) <= set(other.tolist()) for other in windows):
            windows.append(rows)
    return windows[:_MOST]


def _key(run: int, row: int) -> tuple[int, int]:
    return (run, NONE) if run != NONE else (NONE, row)
