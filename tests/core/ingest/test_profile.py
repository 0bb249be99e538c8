"""The text that stands for a photo never says more than is known."""

from dataclasses import replace
from datetime import datetime

import pytest

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint, PlaceName
from core.domain.profile import Concept
from core.domain.tag import Tag, TagKind
from core.ingest.profile import make_profile, season, time_of_day

POINT = GeoPoint(-33.87, 151.2)
TAKEN = CaptureTime(datetime(2020, 1, 2, 18), None, ClockSource.ORIGINAL, Precision.SECOND)
FACTS = PhotoFacts(
    content_hash=ContentHash("0"),
    pixel_hash="0",
    format="JPEG",
    width=1,
    height=1,
    taken=TAKEN,
    order_key=0.0,
    point=POINT,
    gps_problem="",
    place=PlaceName("Sydney", "New South Wales", "AU", 0.0, POINT),
    camera=Camera(),
    contributor="",
    kind=PhotoKind.PHOTO,
    title="Harbour",
    tags=(Tag(TagKind.KEYWORD, ("ferry",)),),
)
SEEN = (Concept("boat", 0.9), Concept("dog", 0.3))


def text(facts: PhotoFacts) -> str:
    return make_profile(PhotoId(1), facts, SEEN, 0.5).text


def test_everything_known_is_said() -> None:
    assert text(FACTS) == (
        "Harbour. boat. ferry. Sydney, New South Wales, AU. evening, January 2020, summer"
    )
    assert make_profile(PhotoId(1), FACTS, SEEN, 0.5).concepts == SEEN


def test_nothing_unknown_is_said() -> None:
    bare = replace(FACTS, title="", tags=(), place=None, point=None, taken=None)
    assert text(bare) == "boat"
    file_time = replace(TAKEN, source=ClockSource.FILE_TIME)
    assert text(replace(bare, taken=file_time)) == "boat"
    day = replace(TAKEN, precision=Precision.DAY, source=ClockSource.FILE_NAME)
    assert text(replace(bare, taken=day)) == "boat. January 2020"


@pytest.mark.parametrize(
    ("hour", "words"), [(0, "night"), (5, "morning"), (12, "afternoon"), (21, "evening")]
)
def test_times_of_day(hour: int, words: str) -> None:
    assert time_of_day(hour) == words


def test_seasons_of_both_halves() -> None:
    assert [season(m, south=False) for m in (1, 4, 7, 10, 12)] == [
        "winter", "spring", "summer", "autumn", "winter",
    ]  # fmt: skip
    assert season(7, south=True) == "winter"
