"""Whether nothing matches: no flat cut-off, but evidence that what is wanted is not there.

A query is refused when nothing is kept; when no kept photo shows the target, or its only condition,
with a probability of at least ⅔ of the model's `nothing_matches_below`; or when a query of at most
two conditions names a thing that no photo shows with ⅚ of it. A change to a reference photo that
names no thing of its own is judged by the reference instead: it is refused when no kept photo looks
like it without lacking a condition outright.

On validation photos (500 answerable queries without, 150 with a reference; 72 and 25 without an
answer) this refuses 4.6 %, 3.3 %, 50 % and 52 %; one cut-off at `nothing_matches_below` refused
7.6 %, 6.0 %, 51 % and 64 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array
from core.domain.photo import PhotoId
from core.domain.query import Condition, ConditionKind, Understanding
from core.language.appearances import appearances
from core.retrieval.gallery import Gallery
from core.retrieval.presence import likeness_of, presence_of
from core.retrieval.reference import Reference
from core.search.workers import names_something

_BEST_OF = 50
"""Photos at the top that are looked at."""
_NEAREST = 20
"""Nearest photos of the whole library among which a thing is looked for."""
_TARGET_SHARE, _THING_SHARE = 2 / 3, 5 / 6
_FEW = 2
_LIKE = 0.3
"""Cosine from which a photo looks like the reference."""
_METADATA = frozenset({ConditionKind.TIME, ConditionKind.PLACE})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing matches, and the conditions that no photo fulfils."""

    reason: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Looks for what a query wants among the photos that are kept, best first."""

    gallery: Gallery
    asked: Understanding
    reference: Reference | None
    kept: Sequence[PhotoId]

    def refusal(self) -> Refusal | None:
        """Why nothing matches, None where something may."""
        if not self.kept:
            return Refusal("no photo is left")
        if not names_something(self.asked):
            return None
        if self.reference is not None and not self._of_kind(ConditionKind.THING):
            return self._unlike(self.reference)
        return self._unseen() or self._missing()

    @property
    def _seen(self) -> tuple[Condition, ...]:
        """The required conditions that a photo can show."""
        return tuple(c for c in self.asked.required if c.kind not in _METADATA)

    def _of_kind(self, kind: ConditionKind) -> tuple[Condition, ...]:
        return tuple(c for c in self._seen if c.kind is kind)

    def _vectors(self) -> Float32Array:
        return self.gallery.vectors(np.array(self.kept[:_BEST_OF], np.int64))

    def _unseen(self) -> Refusal | None:
        presence = self.gallery.perception.presence
        alone = self._seen[0].text if len(self._seen) == 1 else ""
        phrases = (self.asked.target, *(appearances(alone) if alone else ()))
        best = float(likeness_of(presence, phrases, self._vectors()).max())
        if best >= _TARGET_SHARE * presence.nothing_matches_below:
            return None
        return Refusal(f"the best shows it with probability {best:.2f}")

    def _missing(self) -> Refusal | None:
        """Things of a short query that no photo of the library shows."""
        if len(self._seen) > _FEW:
            return None
        least = _THING_SHARE * self.gallery.perception.presence.nothing_matches_below
        found = {c.text: self._best_anywhere(c.text) for c in self._of_kind(ConditionKind.THING)}
        missing = tuple(text for text, best in found.items() if best < least)
        return Refusal(f"no photo shows {' or '.join(missing)}", missing) if missing else None

    def _best_anywhere(self, thing: str) -> float:
        perception, phrases = self.gallery.perception, appearances(thing)
        words = perception.encoder.encode_texts(phrases)
        near = np.unique(self.gallery.images.search(words, _NEAREST)[0])
        return float(likeness_of(perception.presence, phrases, self.gallery.vectors(near)).max())

    def _unlike(self, reference: Reference) -> Refusal | None:
        """Whether no kept photo both looks like the reference and may fulfil the conditions."""
        presence, vectors = self.gallery.perception.presence, self._vectors()
        fulfilled = np.ones(len(vectors), np.bool_)
        for condition in self._seen:
            shown = presence_of(presence, appearances(condition.text), vectors)
            fulfilled &= shown >= presence.absent_below
        if (fulfilled & (vectors @ reference.vector >= _LIKE)).any():
            return None
        target = likeness_of(presence, [self.asked.target], vectors)
        if float(target.max()) >= presence.nothing_matches_below:
            return None
        return Refusal("no photo that looks like the reference fulfils the conditions")
