"""Which photo comes nearest when nothing matches, and why it fails."""

from collections.abc import Mapping, Sequence

from core.domain.answer import NearMiss
from core.domain.photo import PhotoId
from core.domain.query import Polarity, Understanding
from core.domain.verdict import Verdict
from core.search.verifier import failed


def nearest_miss(
    asked: Understanding,
    best_first: Sequence[PhotoId],
    verdicts: Mapping[PhotoId, tuple[Verdict, ...]],
    missing: tuple[str, ...],
) -> NearMiss | None:
    """The first photo and the conditions that it fails; None in an empty gallery.

    `missing` are those known to fail: filters, and things that no photo shows. Where no verdict
    fails outright either, the least sure positive condition is named, else the target.
    """
    if not best_first:
        return None
    of_photo = verdicts.get(best_first[0], ())
    names = [verdict.condition.text for verdict in of_photo if failed(verdict)]
    names = list(dict.fromkeys([*missing, *names]))
    if not names:
        positive = [v for v in of_photo if v.condition.polarity is Polarity.POSITIVE]
        least = min(positive, key=lambda v: v.probability, default=None)
        names = [least.condition.text if least else asked.target]
    return NearMiss(best_first[0], tuple(names))
