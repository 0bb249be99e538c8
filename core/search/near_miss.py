"""Says that nothing matches, and which photo comes nearest and why it fails."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.domain.answer import NearMiss
from core.domain.photo import PhotoId
from core.domain.query import Polarity, Understanding
from core.domain.verdict import Verdict
from core.retrieval.gallery import Gallery
from core.search.verifier import failed
from core.search.workers import names_something

_BEST_OF = 50
"""Photos at the top whose probability of showing the target is looked at."""


def target_probability(
    asked: Understanding, best_first: Sequence[PhotoId], gallery: Gallery
) -> float:
    """The best probability that one of the first photos shows the whole target, 1 without one."""
    if not names_something(asked):
        return 1.0
    if not best_first:
        return 0.0
    vectors = gallery.vectors(np.array(best_first[:_BEST_OF], np.int64))
    return float(gallery.perception.presence.probabilities([asked.target], vectors).max())


def nearest_miss(
    asked: Understanding,
    best_first: Sequence[PhotoId],
    verdicts: Mapping[PhotoId, tuple[Verdict, ...]],
    unfiltered: tuple[str, ...],
) -> NearMiss | None:
    """The first photo and the conditions that it fails; None in an empty gallery.

    Where no verdict fails outright, the least sure positive condition is named, else the target.
    """
    if not best_first:
        return None
    of_photo = verdicts.get(best_first[0], ())
    names = [verdict.condition.text for verdict in of_photo if failed(verdict)]
    names = list(dict.fromkeys([*unfiltered, *names]))
    if not names:
        positive = [v for v in of_photo if v.condition.polarity is Polarity.POSITIVE]
        least = min(positive, key=lambda v: v.probability, default=None)
        names = [least.condition.text if least else asked.target]
    return NearMiss(best_first[0], tuple(names))
