"""Atomic retrievals and what they find."""

from dataclasses import dataclass

from core.domain.photo import PhotoId
from core.domain.query import Polarity


@dataclass(frozen=True, slots=True)
class AtomicRetrieval:
    """The first `top_k` photos of one ranking: (tool, query, polarity, top_k).

    `concept` is the unwanted thing that a negative retrieval excludes, empty for positives.
    `query` is empty for a tool that ranks by the reference photo alone. `appearances` are the
    phrases under which the unwanted thing may show itself: any of them counts as its presence.
    """

    tool: str
    query: str
    polarity: Polarity
    top_k: int
    concept: str = ""
    appearances: tuple[str, ...] = ()

    @property
    def family(self) -> tuple[str, str, Polarity]:
        """What it shares with the atomic retrievals that differ in top_k alone."""
        return (self.tool, self.query, self.polarity)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Photos best first with their scores; ids are distinct, scores do not increase."""

    tool: str
    photo_ids: tuple[PhotoId, ...]
    scores: tuple[float, ...]

    def first(self, top_k: int) -> tuple[PhotoId, ...]:
        """The best `top_k` photos, fewer where the ranking is shorter."""
        return self.photo_ids[:top_k]
