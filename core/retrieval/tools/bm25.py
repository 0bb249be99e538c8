"""The query's content words against the photos' profiles, by BM25."""

import re
from dataclasses import dataclass

from core.domain.arrays import Int64Array
from core.domain.retrieval import Ranking
from core.retrieval.reference import Reference
from core.retrieval.tools.protocol import nothing
from core.store.profiles import ProfileStore

_WORD = re.compile(r"\w+")
_EMPTY = (
    "a an and are as at by for from has have her his in into is it its of on or our that the "
    "their them there these this those to up was were which who with photo photos picture "
    "pictures image images showing show some any all my me near"
)
_EMPTY_WORDS = frozenset(_EMPTY.split())


@dataclass(frozen=True, slots=True)
class Bm25Tool:
    """Full-text search over profiles: keywords, titles, places and concepts."""

    profiles: ProfileStore
    gallery_ids: Int64Array
    name: str = "bm25"
    calibrated: bool = False

    def rank(
        self, query: str, reference: Reference | None, within: Int64Array | None, limit: int
    ) -> Ranking:
        """Photos whose profiles hold any of the content words, the rare words counting more."""
        words = content_words(query)
        if not words:
            return nothing(self.name)
        # Photos outside `within` (or without a vector) are dropped afterwards: ask for all.
        allowed = set((self.gallery_ids if within is None else within).tolist())
        wide = limit + 64 if within is None else max(len(self.gallery_ids), limit)
        found = [pair for pair in self.profiles.match(words, wide) if pair[0] in allowed][:limit]
        return Ranking(self.name, tuple(i for i, _ in found), tuple(score for _, score in found))


def content_words(query: str) -> list[str]:
    """The words of a query that carry meaning, each once, in order."""
    words = (word.lower() for word in _WORD.findall(query))
    return list(dict.fromkeys(word for word in words if word not in _EMPTY_WORDS))
