"""Photos by when and where they were taken."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.query import PlaceFilter, TimeFilter
from core.domain.retrieval import Ranking
from core.retrieval.filters import nearest_km, taken_when, taken_where
from core.retrieval.reference import Reference
from core.retrieval.tools.protocol import ranking
from core.store.columns import PhotoColumns


@dataclass(frozen=True, slots=True)
class MetadataTool:
    """The photos that pass the filters: nearest to the place first, then newest first.

    Without filters it is the whole gallery, newest first.
    """

    columns: PhotoColumns
    when: TimeFilter | None = None
    where: PlaceFilter | None = None
    name: str = "metadata"
    calibrated: bool = False

    def allowed(self) -> BoolArray:
        """Which rows of the columns pass the filters."""
        held: BoolArray = np.ones(len(self.columns.ids), np.bool_)
        if self.when is not None:
            held &= taken_when(self.columns, self.when)
        if self.where is not None:
            held &= taken_where(self.columns, self.where)
        return held

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """The photos that pass, by closeness; the text is not read: its filters were."""
        held = self.allowed()
        if within is not None:
            held &= np.isin(self.columns.ids, within)
        rows = np.flatnonzero(held)
        closeness = self._closeness()[rows]
        newest = np.nan_to_num(self.columns.order[rows], nan=-np.inf)
        order = np.lexsort((self.columns.ids[rows], -newest, -closeness))[:limit]
        scores = closeness[order].astype(np.float32)
        return ranking(self.name, self.columns.ids[rows[order]], scores)

    def _closeness(self) -> Float64Array:
        """1 at the place, falling with distance in units of the radius; 1 without a place."""
        if self.where is None or not self.where.points:
            return np.ones(len(self.columns.ids))
        radii = nearest_km(self.columns, self.where) / max(self.where.radius_km, 1e-9)
        closeness: Float64Array = 1.0 / (1.0 + radii)
        return closeness
