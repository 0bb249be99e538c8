"""Exact duplicates, near-duplicates and bursts."""

import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from core.backends.fakes import fake_perception
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, FileStamp, PhotoFacts, PhotoId, PhotoKind
from core.domain.report import DuplicateGroup
from core.errors import Cancelled
from core.ingest.duplicates import find_duplicates
from core.ingest.zones import order_key
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import Library, open_library

NOON = datetime(2024, 5, 1, 12)


def add(
    library: Library, number: int, seconds: float, angle: float, pixels: str = "", side: int = 10
) -> PhotoId:
    """A photo whose vector has an angle in degrees."""
    local = NOON + timedelta(seconds=seconds)
    taken = CaptureTime(local, None, ClockSource.ORIGINAL, Precision.SECOND)
    facts = PhotoFacts(
        content_hash=ContentHash(f"{number:064x}"),
        pixel_hash=pixels or str(number),
        format="JPEG",
        width=side,
        height=side,
        taken=taken,
        order_key=order_key(taken),
        point=None,
        gps_problem="",
        place=None,
        camera=Camera(),
        contributor="Ada",
        kind=PhotoKind.PHOTO,
    )
    photo_id = library.photos.save(facts, FileStamp(Path(f"/photos/{number}.jpg"), number, 0))
    vector = np.zeros((1, 15), np.float32)
    vector[0, :2] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    library.vectors.save("colours-1", [photo_id], vector)
    return photo_id


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(LibraryPaths(tmp_path / "library"))


def groups(library: Library) -> list[tuple[str, list[str], str]]:
    found = find_duplicates(library, fake_perception(), Progress())
    return [(g.kind, [path.stem for path in g.files], g.best.stem) for g in found]


def test_equal_pixels_are_exact_and_told_once(library: Library) -> None:
    add(library, 1, 0, 0, "same")
    add(library, 2, 9000, 0, "same")
    add(library, 3, 0, 90)
    assert groups(library) == [("exact", ["1", "2"], "2")]


def test_a_burst_is_close_in_time_and_alike(library: Library) -> None:
    for number, seconds, angle in ((1, 0, 0), (2, 1.5, 10), (3, 3, 20), (4, 4, 80), (5, 9, 10)):
        add(library, number, seconds, angle, side=20 if number == 2 else 10)
    bursts = [group for group in groups(library) if group[0] == "burst"]
    assert bursts == [("burst", ["1", "2", "3"], "2")]


def test_near_duplicates_are_found_anywhere(library: Library) -> None:
    add(library, 1, 0, 0)
    for number in range(2, 40):
        add(library, number, number * 1000, 2.5 + number * 4)
    add(library, 50, 10**7, 0.5)
    assert groups(library) == [("near", ["1", "50"], "50")]


def test_a_link_is_no_duplicate(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    os.link(tmp_path / "a.jpg", tmp_path / "b.jpg")
    photo_id = add(library, 1, 0, 0)
    library.photos.detach([Path("/photos/1.jpg")])
    for name in ("a.jpg", "b.jpg"):
        library.photos.attach(photo_id, FileStamp(tmp_path / name, 1, 1))
    assert groups(library) == []
    (tmp_path / "c.jpg").write_bytes(b"x")
    library.photos.attach(photo_id, FileStamp(tmp_path / "c.jpg", 1, 1))
    assert [group[:2] for group in groups(library)] == [("exact", ["a", "c"])]


def test_it_can_be_cancelled(library: Library) -> None:
    add(library, 1, 0, 0)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        find_duplicates(library, fake_perception(), progress)


def test_an_empty_library_has_none(library: Library) -> None:
    found: list[DuplicateGroup] = find_duplicates(library, fake_perception(), Progress())
    assert found == []
    assert replace(Progress()) is not None
