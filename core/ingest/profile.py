"""The text that stands for a photo: what a model saw and what metadata say, nothing else."""

from collections.abc import Iterator, Sequence

from core.domain.moment import KEPT_IN_UTC, MONTHS, CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoFacts, PhotoId
from core.domain.profile import Concept, Profile

_SEASONS = ("winter", "spring", "summer", "autumn")
_TROPIC = 23.5


def make_profile(
    photo_id: PhotoId, facts: PhotoFacts, concepts: Sequence[Concept], seen_above: float
) -> Profile:
    """A photo's profile; only concepts of at least `seen_above` enter the text."""
    seen = [concept.phrase for concept in concepts if concept.probability >= seen_above]
    place = facts.place.text if facts.place else ""
    parts = (
        facts.title,
        ", ".join(seen),
        ", ".join(facts.keywords),
        place,
        ", ".join(_time_words(facts)),
    )
    return Profile(photo_id, tuple(concepts), ". ".join(part for part in parts if part))


def _time_words(facts: PhotoFacts) -> Iterator[str]:
    """Time of day, month, season and year, as far as they are known; never from a file's time."""
    taken = facts.taken
    if taken is None or taken.source is ClockSource.FILE_TIME:
        return
    if taken.precision is Precision.SECOND and not _is_foreign_clock(taken):
        yield time_of_day(taken.local.hour)
    yield f"{MONTHS[taken.local.month - 1]} {taken.local.year}"
    if facts.point is not None and abs(facts.point.latitude) > _TROPIC:
        yield season(taken.local.month, south=facts.point.latitude < 0)


def _is_foreign_clock(taken: CaptureTime) -> bool:
    """A time kept in UTC, without a zone, does not tell the hour of the place."""
    return taken.source in KEPT_IN_UTC and taken.zone is None and not taken.offset


def time_of_day(hour: int) -> str:
    """Morning from 5, afternoon from 12, evening from 17, night from 22."""
    if 5 <= hour < 12:
        return "morning"
    if 12 <= hour < 17:
        return "afternoon"
    return "evening" if 17 <= hour < 22 else "night"


def season(month: int, *, south: bool) -> str:
    """The season of a month outside the tropics."""
    return _SEASONS[(month % 12 // 3 + (2 if south else 0)) % 4]
