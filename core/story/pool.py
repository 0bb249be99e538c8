"""The photos that a story may draw from, as columns in time order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.domain.arrays import BoolArray, Float32Array, Float64Array, Int64Array
from core.domain.photo import PhotoId
from core.domain.session import Session, Trip
from core.protocols import VectorIndex
from core.store.columns import PhotoColumns

NONE = -1
"""The session or trip of a photo that is in none."""
_HOUR_S = 3600
_DAY_S = 24 * _HOUR_S
_NIGHT_ENDS_S = 4 * _HOUR_S


@dataclass(frozen=True, slots=True)
class StoryPool:
    """Dated photos, one a row, in capture order (ties by id), and the index of their vectors."""

    index: VectorIndex
    columns: PhotoColumns
    session: Int64Array
    trip: Int64Array

    def __len__(self) -> int:
        return len(self.columns.ids)

    @property
    def ids(self) -> Int64Array:
        """The photos' ids."""
        return self.columns.ids

    @property
    def seconds(self) -> Float64Array:
        """Capture times that order the photos: UTC as well as it is known."""
        return self.columns.order

    @property
    def local(self) -> Int64Array:
        """Wall-clock seconds since 1970."""
        return self.columns.taken.astype("datetime64[s]").astype(np.int64)

    @property
    def day(self) -> Int64Array:
        """Local days since 1970."""
        return self.local // _DAY_S

    @property
    def hour(self) -> Int64Array:
        """Local hours, 0 to 23."""
        return self.local % _DAY_S // _HOUR_S

    @property
    def waking_day(self) -> Int64Array:
        """Local days that end at 4 in the morning: the small hours belong to the evening."""
        return (self.local - _NIGHT_ENDS_S) // _DAY_S

    def take(self, kept: BoolArray) -> "StoryPool":
        """The rows that a mask keeps."""
        return replace(
            self,
            columns=self.columns.rows(kept),
            session=self.session[kept],
            trip=self.trip[kept],
        )

    def rows_of(self, ids: Int64Array) -> Int64Array:
        """The rows of ids; KeyError for one that is not in the pool."""
        by_id = np.argsort(self.ids)
        at = np.searchsorted(self.ids, ids, sorter=by_id)
        rows = by_id[np.minimum(at, len(self) - 1)] if len(self) else at
        if len(ids) and (not len(self) or np.any(self.ids[rows] != ids)):
            raise KeyError("a photo that is not in the pool")
        return np.asarray(rows, np.int64)

    def vectors(self, rows: Int64Array) -> Float32Array:
        """The vectors of rows, (n, dim)."""
        return self.index.vectors(self.ids[rows])


def pool_of(
    index: VectorIndex,
    columns: PhotoColumns,
    sessions: Sequence[Session],
    trips: Sequence[Trip],
) -> StoryPool:
    """Every dated photo of the columns, in capture order; the others have no place in it.

    A time that only the file tells is when it was copied or edited, not when it was taken.
    """
    dated = columns.rows(np.isfinite(columns.order) & ~np.isnat(columns.taken) & columns.told)
    order = np.lexsort((dated.ids, dated.order))
    ordered = _reordered(dated, order)
    return StoryPool(
        index, ordered, _run_numbers(ordered.ids, sessions), _run_numbers(ordered.ids, trips)
    )


def _reordered(columns: PhotoColumns, order: Int64Array) -> PhotoColumns:
    names = PhotoColumns.__dataclass_fields__
    return PhotoColumns(**{name: getattr(columns, name)[order] for name in names})


def _run_numbers(ids: Int64Array, runs: Sequence[Session] | Sequence[Trip]) -> Int64Array:
    number = {photo_id: run.id for run in runs for photo_id in run.photo_ids}
    return np.array([number.get(PhotoId(int(i)), NONE) for i in ids], np.int64)
