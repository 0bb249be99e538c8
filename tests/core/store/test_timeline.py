"""The timeline: one section a day and session, with the times that are known."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from core.domain.moment import CaptureTime, Precision
from core.domain.photo import PhotoId
from core.domain.session import Session, Split, SplitRule, TimedSession
from core.paths import LibraryPaths
from core.store.library import Library, open_library
from core.store.timeline import load_timeline
from tests.core.store.test_stores import bare, facts, stamp


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(LibraryPaths(tmp_path / "library"))
    yield opened
    opened.close()


def session(number: int, contributor: str, taken: CaptureTime, *photos: PhotoId) -> Session:
    return Session(number, contributor, photos, taken, taken, Split(SplitRule.FIRST), None, "Moab")


def test_two_cameras_at_the_same_time_are_two_sections_and_not_many(library: Library) -> None:
    hours = {hour: facts(str(hour), hour) for hour in range(8, 14)}
    ids = {hour: library.photos.save(f, stamp(f"/{hour}")) for hour, f in hours.items()}
    even, odd = (tuple(ids[h] for h in hours if h % 2 == rest) for rest in (0, 1))
    taken = hours[8].taken
    assert taken is not None
    both = session(1, "A", taken, *even), session(2, "B", taken, *odd)
    library.sessions.renew([TimedSession(one, 0.0, 0.0, False) for one in both], 0.0, 1.0, set())
    sections = load_timeline(library.database)
    assert [section.photo_ids for section in sections] == [even, odd]
    spans = [(s.begins.hour, s.ends.hour) for s in sections if s.begins and s.ends]
    assert spans == [(8, 12), (9, 13)]


def test_no_time_is_told_where_only_the_day_is_known(library: Library) -> None:
    exact = facts("a", hour=7)
    assert exact.taken is not None
    by_day = replace(exact.taken, local=datetime(2021, 7, 5), precision=Precision.DAY)
    library.photos.save(exact, stamp("/a"))
    library.photos.save(replace(facts("b", hour=20), taken=by_day), stamp("/b"))
    library.photos.save(bare("c"), stamp("/c"))
    sections = load_timeline(library.database)
    assert [section.begins is None for section in sections] == [True, False, True]
    assert [section.day is None for section in sections] == [False, False, True]
