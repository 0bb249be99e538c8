"""The measurement of decoding: the same photos for every contender."""

import math
from pathlib import Path

import pytest
from PIL import Image

from core.benchmark import decoding
from core.benchmark.decoding import PILLOW, POOL, PROCESSES, decoding_speed, draw_photos
from core.errors import DatasetError
from core.progress import Progress

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photos that are drawn in no time; warnings and limits as they were afterwards."""
    monkeypatch.setattr(decoding, "_WIDTH", 800)
    monkeypatch.setattr(decoding, "_HEIGHT", 600)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)


def test_all_decode_the_same_photos(small: None, tmp_path: Path) -> None:
    photos = draw_photos(tmp_path / "photos", 3, 1, Progress())
    speed = decoding_speed(photos, tmp_path, Progress(), workers=1, rounds=1)
    assert (speed.photos, speed.workers) == (3, 1)
    assert {POOL, PROCESSES, PILLOW} <= set(speed.costs)
    assert all(cost.rate(3) > 0 for cost in speed.costs.values())
    assert math.isclose(
        speed.of_unprotected, speed.costs[POOL].rate(3) / speed.costs[PROCESSES].rate(3)
    )
    assert len(list((tmp_path / "library").rglob("*.jpg"))) == 3


def test_drawn_photos_differ_and_come_again(small: None, tmp_path: Path) -> None:
    first, again = (draw_photos(tmp_path / name, 2, 1, Progress()) for name in "ab")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in again]
    assert first[0].read_bytes() != first[1].read_bytes()


def test_what_is_no_photo_is_no_measure(small: None, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("words")
    with pytest.raises(DatasetError, match="no photo"):
        decoding_speed([tmp_path / "a.jpg"], tmp_path, Progress(), workers=1, rounds=1)
