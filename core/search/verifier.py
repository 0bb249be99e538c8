"""Checks every condition of a query in the photos of an answer, in one batch.

Conditions on what a photo shows are judged by calibrated presence, those on when and where by
metadata. Concepts of the photo's profile that share words with a condition are its evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import BoolArray, Int64Array
from core.domain.photo import PhotoId
from core.domain.profile import Profile
from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.domain.verdict import Verdict, VerdictState
from core.language.appearances import appearances
from core.protocols import PresenceModel
from core.retrieval.filters import nearest_km, taken_when, taken_where
from core.retrieval.gallery import Gallery
from core.retrieval.presence import presence_of
from core.retrieval.tools.bm25 import content_words
from core.store.columns import PhotoColumns

_MISSING_ALTOGETHER = frozenset({ConditionKind.THING, ConditionKind.SCENE, ConditionKind.ACTION})
"""A wanted one of these is absent where it fails; other kinds are changed."""
_WITNESSES = 3
_BY_METADATA = frozenset({ConditionKind.TIME, ConditionKind.PLACE})


@dataclass(frozen=True, slots=True)
class Verifier:
    """Judges conditions over one gallery for one understanding."""

    gallery: Gallery
    understanding: Understanding

    def verify(self, photo_ids: Sequence[PhotoId]) -> dict[PhotoId, tuple[Verdict, ...]]:
        """A verdict for each condition of each photo, in the order of the conditions."""
        if not photo_ids or not self.understanding.conditions:
            return dict.fromkeys(photo_ids, ())
        ids = np.array(photo_ids, np.int64)
        profiles = self.gallery.profiles.profiles(photo_ids)
        columns = [
            self._by_metadata(condition, ids)
            if condition.kind in _BY_METADATA
            else self._by_presence(condition, ids, photo_ids, profiles)
            for condition in self.understanding.conditions
        ]
        return dict(zip(photo_ids, zip(*columns, strict=True), strict=True))

    def _by_presence(
        self,
        condition: Condition,
        ids: Int64Array,
        photo_ids: Sequence[PhotoId],
        profiles: dict[PhotoId, Profile],
    ) -> list[Verdict]:
        presence = self.gallery.perception.presence
        row = presence_of(presence, appearances(condition.text), self.gallery.vectors(ids))
        return [
            Verdict(
                condition,
                seen_state(condition, float(probability), presence),
                float(probability),
                _witnesses(condition, profiles.get(photo_id)),
            )
            for photo_id, probability in zip(photo_ids, row, strict=True)
        ]

    def _by_metadata(self, condition: Condition, ids: Int64Array) -> list[Verdict]:
        shown = self.gallery.columns.rows(np.searchsorted(self.gallery.ids, ids))
        known, holds = self._metadata_masks(condition, shown)
        records = self._records(condition, shown)
        return [
            Verdict(
                condition,
                _metadata_state(condition, told, held),
                float(held) if told else 0.5,
                record,
            )
            for told, held, record in zip(known.tolist(), holds.tolist(), records, strict=True)
        ]

    def _metadata_masks(
        self, condition: Condition, shown: PhotoColumns
    ) -> tuple[BoolArray, BoolArray]:
        """For each photo: whether its metadata can tell, and whether the condition holds."""
        when, where = self.understanding.when, self.understanding.where
        if condition.kind is ConditionKind.TIME and when is not None:
            return ~np.isnat(shown.taken), taken_when(shown, when)
        if condition.kind is ConditionKind.PLACE and where is not None:
            return ~np.isnan(shown.latitude) | (shown.country != ""), taken_where(shown, where)
        nothing: BoolArray = np.zeros(len(shown.ids), np.bool_)
        return nothing, nothing

    def _records(self, condition: Condition, shown: PhotoColumns) -> list[str]:
        """What the metadata say, e.g. "taken 2021-07-04" or "12 km away"."""
        where = self.understanding.where
        if condition.kind is ConditionKind.TIME:
            days = np.datetime_as_string(shown.taken, "D").tolist()
            return ["" if day == "NaT" else f"taken {day}" for day in days]
        if where is None or not where.points:
            pairs = zip(shown.region.tolist(), shown.country.tolist(), strict=True)
            return [", ".join(part for part in pair if part) for pair in pairs]
        distances = nearest_km(shown, where).tolist()
        return [f"{km:.0f} km away" if np.isfinite(km) else "" for km in distances]


def seen_state(condition: Condition, probability: float, presence: PresenceModel) -> VerdictState:
    """The state of a condition on what a photo shows, from the probability that it shows it."""
    if condition.polarity is Polarity.NEGATIVE:
        if probability >= presence.exclude_above:
            return VerdictState.CHANGED
        sure = probability < presence.absent_below
        return VerdictState.ABSENT if sure else VerdictState.UNSURE
    if probability >= presence.present_above:
        return VerdictState.KEPT
    if probability >= presence.absent_below:
        return VerdictState.UNSURE
    absent = condition.kind in _MISSING_ALTOGETHER
    return VerdictState.ABSENT if absent else VerdictState.CHANGED


def failed(verdict: Verdict) -> bool:
    """Whether a verdict says that its condition does not hold."""
    if verdict.condition.polarity is Polarity.NEGATIVE:
        return verdict.state is VerdictState.CHANGED
    return verdict.state in (VerdictState.CHANGED, VerdictState.ABSENT)


def _metadata_state(condition: Condition, known: bool, holds: bool) -> VerdictState:
    if not known:
        return VerdictState.UNSURE
    if condition.polarity is Polarity.NEGATIVE:
        return VerdictState.CHANGED if holds else VerdictState.ABSENT
    return VerdictState.KEPT if holds else VerdictState.CHANGED


def _witnesses(condition: Condition, profile: Profile | None) -> str:
    """Concepts of the photo that share a word with the condition, e.g. "dog 0.93"."""
    if profile is None:
        return ""
    words = set(content_words(condition.text))
    seen = [c for c in profile.concepts if words & set(content_words(c.phrase))]
    return ", ".join(f"{c.phrase} {c.probability:.2f}" for c in seen[:_WITNESSES])
