"""Contextual pruning: which photos may stand beside a seed, by the kind of relation."""

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.place import GeoPoint
from core.domain.story import Relation
from core.retrieval.filters import distance_km
from core.settings import StorySettings
from core.story.pool import NONE, StoryPool

_HOUR_S = 3600.0
_RUN_GAP_S = 36 * _HOUR_S
"""Where the library knows no trip, a pause longer than this ends the run of days."""


def window_rows(
    pool: StoryPool, seed: int, relation: Relation, settings: StorySettings
) -> Int64Array:
    """The rows that may join the photo in row `seed` (itself among them), ascending.

    EVENT: ± `window_hours` and `window_km`. TRIP: the seed's trip; without one, the run of
    photos with no pause > 36 h. DAY_TO_NIGHT: one day that ends at 4 in the morning, within
    `window_km`. RECURRING: the place over the years. A photo without a position is held by
    time alone; in a RECURRING story it must share the seed's session.
    """
    match relation:
        case Relation.TRIP:
            inside = _trip(pool, seed)
        case Relation.RECURRING:
            inside = _same_place(pool, seed, settings.window_km)
        case Relation.DAY_TO_NIGHT:
            same_day = pool.waking_day == pool.waking_day[seed]
            inside = same_day & _near_or_unknown(pool, seed, settings.window_km)
        case Relation.EVENT:
            soon = np.abs(pool.seconds - pool.seconds[seed]) <= settings.window_hours * _HOUR_S
            inside = soon & _near_or_unknown(pool, seed, settings.window_km)
    return np.flatnonzero(inside)


def kilometres(pool: StoryPool, row: int) -> Float64Array:
    """The distance of every photo to the one in `row`; NaN where either has no position."""
    latitude, longitude = pool.columns.latitude[row], pool.columns.longitude[row]
    return distance_km(pool.columns, GeoPoint(float(latitude), float(longitude)))


def _trip(pool: StoryPool, seed: int) -> BoolArray:
    if pool.trip[seed] != NONE:
        return np.asarray(pool.trip == pool.trip[seed])
    run = np.concatenate([[0], np.cumsum(np.diff(pool.seconds) > _RUN_GAP_S)])
    return np.asarray((run == run[seed]) & (pool.trip == NONE))


def _near_or_unknown(pool: StoryPool, seed: int, limit_km: float) -> BoolArray:
    km = kilometres(pool, seed)
    return np.asarray(np.isnan(km) | (km <= limit_km))


def _same_place(pool: StoryPool, seed: int, limit_km: float) -> BoolArray:
    if np.isnan(pool.columns.latitude[seed]):  # nothing tells the places apart
        return np.isnan(pool.columns.latitude)
    km = kilometres(pool, seed)
    session = (pool.session == pool.session[seed]) & (pool.session != NONE)
    return np.asarray((km <= limit_km) | (np.isnan(km) & session))
