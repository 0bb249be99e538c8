"""What every retrieval tool is: one way to rank the gallery."""

from typing import Protocol

import numpy as np

from core.domain.arrays import Float32Array, Int64Array
from core.domain.photo import PhotoId
from core.domain.retrieval import Ranking
from core.retrieval.reference import Reference


class RetrievalTool(Protocol):
    """Ranks photos for a query text, a reference photo, or both."""

    @property
    def name(self) -> str:
        """What trajectories call it."""

    @property
    def calibrated(self) -> bool:
        """Whether its cut can be made by calibrated presence instead of by size."""

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """The best `limit` photos, among `within` where it is given; empty where the tool lacks
        what it ranks by (a text, a reference photo).
        """


def ranking(tool: str, ids: Int64Array, scores: Float32Array) -> Ranking:
    """Arrays, best first, as a ranking."""
    return Ranking(tool, tuple(map(PhotoId, ids.tolist())), tuple(scores.tolist()))


def nothing(tool: str) -> Ranking:
    """The empty ranking."""
    return ranking(tool, np.empty(0, np.int64), np.empty(0, np.float32))
