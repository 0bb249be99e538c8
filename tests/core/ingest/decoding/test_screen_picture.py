"""Pictures for the screen: made once, in a process that may crash, hang or be left."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from core.errors import Cancelled, DecodeError
from core.ingest.decoding import screen_picture
from core.ingest.decoding.screen_picture import ScreenPictures, size_for
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import DecodeSettings
from tests.core.ingest.decoding.odd_decoders import decode_oddly, decode_or_die

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are not on Windows")


@pytest.fixture
def paths(tmp_path: Path) -> LibraryPaths:
    return LibraryPaths(tmp_path / "library")


@pytest.fixture
def pictures(paths: LibraryPaths) -> Iterator[ScreenPictures]:
    made = ScreenPictures(paths, DecodeSettings(timeout_s=1), decode_or_die)
    yield made
    made.close()


def photo(folder: Path, name: str, size: tuple[int, int] = (3000, 1500)) -> Path:
    path = folder / name
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    Image.effect_noise(size, 60).convert("RGB").save(path, exif=exif)
    return path


def decoders() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "spawn_main" in " ".join(p.cmdline())]


@pytest.mark.parametrize(("wish", "size"), [(1, 512), (512, 512), (513, 1280), (99_999, 4096)])
def test_a_wish_gets_the_next_larger_size(wish: int, size: int) -> None:
    assert size_for(wish) == size


def test_a_picture_is_upright_large_enough_and_kept(
    pictures: ScreenPictures, paths: LibraryPaths, tmp_path: Path
) -> None:
    made = pictures.read(photo(tmp_path, "tower.jpg"), 1000, Progress())
    assert made.is_relative_to(paths.pictures)
    with Image.open(made) as picture:
        assert picture.size == (640, 1280)
    content = made.stem
    assert pictures.kept(content, 1000) == made  # type: ignore[arg-type]
    assert pictures.kept(content, 2000) is None  # type: ignore[arg-type]


def test_one_warm_process_serves_all_pictures(pictures: ScreenPictures, tmp_path: Path) -> None:
    pictures.read(photo(tmp_path, "a.jpg"), 600, Progress())
    first = decoders()
    pictures.read(photo(tmp_path, "b.jpg"), 600, Progress())
    assert decoders() == first
    assert len(first) == 1


@pytest.mark.parametrize("name", ["crash.jpg", "hang.jpg"])
def test_a_bad_file_costs_its_own_picture_alone(
    pictures: ScreenPictures, tmp_path: Path, name: str
) -> None:
    with pytest.raises(DecodeError, match="cannot be shown") as caught:
        pictures.read(photo(tmp_path, name), 600, Progress())
    assert caught.value.advice
    assert pictures.read(photo(tmp_path, "good.jpg"), 600, Progress()).exists()


def test_what_is_no_picture_says_so(pictures: ScreenPictures, tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("words")
    with pytest.raises(DecodeError, match="no picture format"):
        pictures.read(tmp_path / "notes.jpg", 600, Progress())
    with pytest.raises(DecodeError, match="is not there now"):
        pictures.read(tmp_path / "absent.jpg", 600, Progress())


def test_a_hanging_decoder_ends_when_the_person_goes_on(
    paths: LibraryPaths, tmp_path: Path
) -> None:
    patient = ScreenPictures(paths, DecodeSettings(timeout_s=600), decode_or_die)
    progress, failures = Progress(), []

    def look() -> None:
        try:
            patient.read(photo(tmp_path, "hang.jpg"), 600, progress)
        except Cancelled as error:
            failures.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    while not decoders():
        time.sleep(0.01)
    progress.cancel()
    thread.join(60)
    assert failures
    assert decoders() == []
    assert patient.read(photo(tmp_path, "good.jpg"), 600, Progress()).exists()
    patient.close()
    assert decoders() == []


def test_a_picture_that_nobody_waits_for_is_finished_if_it_comes_soon(
    paths: LibraryPaths, tmp_path: Path
) -> None:
    made = ScreenPictures(paths, DecodeSettings(), decode_oddly)
    made.read(photo(tmp_path, "warm.jpg", (8, 8)), 600, Progress())
    warm, progress = decoders(), Progress()
    progress.cancel()
    made.read(photo(tmp_path, "quick.jpg", (8, 8)), 600, progress)
    assert decoders() == warm
    made.close()


def test_old_pictures_make_room(
    pictures: ScreenPictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        pictures.read(photo(tmp_path, f"{name}.jpg"), 600, Progress()) for name in "ab"
    )
    os.utime(first, (1, 1))
    monkeypatch.setattr(screen_picture, "_MOST_BYTES", second.stat().st_size * 5 // 2)
    third = pictures.read(photo(tmp_path, "c.jpg"), 600, Progress())
    assert [path.exists() for path in (first, second, third)] == [False, True, True]
