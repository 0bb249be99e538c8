"""What the smoke suite asks of the photos that it drew, and which photos are right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from core.benchmark.suites.smoke_library import ABSENT, AWAY, PALETTE, SHOWN_ALONE, DrawnPhoto
from core.domain.query import ComposedQuery, ReferencePhoto
from core.domain.story import StoryBrief


@dataclass(frozen=True, slots=True)
class Question:
    """A query of a group, the photos (by number) that it wants, and those it does not."""

    group: str
    query: ComposedQuery
    relevant: frozenset[int]
    unwanted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Tale:
    """A story brief, the photos of the day that it speaks of, and those that play its roles."""

    brief: StoryBrief
    day: frozenset[int]
    roles: frozenset[int]


def questions(drawn: Sequence[DrawnPhoto]) -> list[Question]:
    """Every exclusion that the photos allow, with words and with a photo; and absent colours."""
    nothing = [Question("nothing", ComposedQuery(colour), frozenset()) for colour in ABSENT]
    return [*_exclusions(drawn), *nothing]


def _exclusions(drawn: Sequence[DrawnPhoto]) -> Iterator[Question]:
    for wanted, unwanted in permutations(PALETTE, 2):
        has, spoilt = _showing(drawn, wanted), _showing(drawn, unwanted)
        if not has & spoilt or not has - spoilt:
            continue
        text = ComposedQuery(f"{wanted} without {unwanted}")
        start = ReferencePhoto(drawn[min(has & spoilt)].path)
        yield Question("exclusion", text, has - spoilt, spoilt)
        change = ComposedQuery(f"{wanted}, without {unwanted}", start)
        yield Question("reference", change, has - spoilt, spoilt)


def tales(drawn: Sequence[DrawnPhoto]) -> list[Tale]:
    """A story of each town away from home: its single colours, in their order."""
    return [_tale(drawn, town) for town in AWAY]


def _tale(drawn: Sequence[DrawnPhoto], town: str) -> Tale:
    day = [number for number, photo in enumerate(drawn) if photo.town == town]
    roles = day[:SHOWN_ALONE]
    said = ", then ".join(drawn[number].colours[0] for number in roles)
    brief = StoryBrief(f"A trip to {town}: {said}", SHOWN_ALONE, SHOWN_ALONE)
    return Tale(brief, frozenset(day), frozenset(roles))


def _showing(drawn: Sequence[DrawnPhoto], colour: str) -> frozenset[int]:
    return frozenset(i for i, photo in enumerate(drawn) if colour in photo.colours)
