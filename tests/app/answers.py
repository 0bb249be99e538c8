"""Values of the engine's domain for tests of single screens."""

from datetime import date, datetime, timedelta
from pathlib import Path

from core.domain.answer import NearMiss, RankedPhoto, SearchAnswer, TraceEvent
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, FileStamp, Photo, PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint, PlaceName
from core.domain.problem import Problem, ProblemReason
from core.domain.query import Condition, ConditionKind, Polarity, QueryId, TimeFilter, Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.tag import Tag, TagKind
from core.domain.timeline import TimelineSection
from core.domain.trajectory import Trajectory
from core.domain.verdict import Verdict, VerdictState

DOG = Condition("dog", Polarity.POSITIVE, ConditionKind.THING)
BEACH = Condition("beach", Polarity.POSITIVE, ConditionKind.SCENE)
PEOPLE = Condition("people", Polarity.NEGATIVE, ConditionKind.THING)


def answer(*, nothing: bool = False) -> SearchAnswer:
    """Two photos kept and one left out; or nothing, with the nearest miss."""
    kept, absent, changed = VerdictState.KEPT, VerdictState.ABSENT, VerdictState.CHANGED
    results = (
        ranked(1, False, Verdict(DOG, kept, 0.9), Verdict(PEOPLE, absent, 0.02)),
        ranked(2, False, Verdict(DOG, VerdictState.UNSURE, 0.4), Verdict(PEOPLE, absent, 0.1)),
        ranked(3, True, Verdict(DOG, kept, 0.8), Verdict(PEOPLE, changed, 0.95, "three faces")),
    )
    steps = (
        AtomicRetrieval("starter:text", "a dog", Polarity.POSITIVE, 50),
        AtomicRetrieval("starter:text", "people", Polarity.NEGATIVE, 200, "people"),
    )
    understanding = Understanding("a dog", (DOG, PEOPLE), when=TimeFilter("last summer"))
    return SearchAnswer(
        QueryId("q1"), "hybrid", "final", understanding, nothing, () if nothing else results,
        NearMiss(PhotoId(9), ("dog",)) if nothing else None, Trajectory(steps, "rules"), (50, 12),
        (TraceEvent("fallback", "no language model"),), {"first": 0.1, "final": 0.5},
    )  # fmt: skip


def ranked(number: int, excluded: bool, *verdicts: Verdict) -> RankedPhoto:
    return RankedPhoto(PhotoId(number), number, 1.0 / number, excluded, verdicts, (0,))


def _tags(words: tuple[str, ...]) -> tuple[Tag, ...]:
    return tuple(Tag(TagKind.KEYWORD, (word,)) for word in words)


def photo(name: str = "beach.jpg", title: str = "", keywords: tuple[str, ...] = ()) -> Photo:
    taken = CaptureTime(
        datetime(2021, 7, 3, 9, 5), timedelta(hours=2), ClockSource.ORIGINAL, Precision.SECOND
    )
    point = GeoPoint(43.463, 11.88, 296.0)
    place = PlaceName("Arezzo", "Tuscany", "IT", 1.25, point)
    facts = PhotoFacts(
        ContentHash("00"), "", "JPEG", 4000, 3000, taken, 0.0, point, "", place,
        Camera("Canon", "Canon EOS 40D"), "", PhotoKind.PHOTO, title, _tags(keywords),
        "1/160 s · f/7.1",
    )  # fmt: skip
    return Photo(PhotoId(1), facts, (FileStamp(Path("/photos") / name, 2_000_000, 0),))


def timeline() -> list[TimelineSection]:
    ids = [PhotoId(number) for number in range(1, 8)]
    return [
        TimelineSection(date(2021, 7, 4), 2, "Arezzo", tuple(ids[:3])),
        TimelineSection(date(2021, 7, 3), 1, "", tuple(ids[3:6])),
        TimelineSection(None, None, "", tuple(ids[6:])),
    ]


def problems() -> list[Problem]:
    since = datetime(2024, 5, 1)
    return [
        Problem(Path("/photos/film.mp4"), ProblemReason.VIDEO, "", since),
        Problem(Path("/photos/torn.jpg"), ProblemReason.DAMAGED, "ends early", since),
    ]
