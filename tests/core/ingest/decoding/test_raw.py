"""RAW files: the embedded preview where it is large enough, else developed; upright once."""

from pathlib import Path

import pytest
import rawpy
from PIL import Image

from core.domain.moment import ClockSource
from core.domain.photo import PhotoKind
from core.domain.problem import ProblemReason
from core.ingest.decoding.jobs import Decoded
from core.ingest.decoding.pixels import prepare_decoders
from tests.core.ingest.decoding.four_colours import (
    RED,
    assert_upright,
    corners,
    decode,
    decoded,
    refused,
    scene,
    stored,
)
from tests.core.ingest.decoding.raw_files import write_dng

pytestmark = pytest.mark.filterwarnings("ignore")
SCALE = 8


@pytest.fixture(autouse=True)
def decoders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings are ignored, as in the processes that decode."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    prepare_decoders()


def large(picture: Image.Image) -> Image.Image:
    return picture.resize((SCALE * picture.width, SCALE * picture.height), Image.Resampling.NEAREST)


def exif(orientation: int) -> bytes:
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags.tobytes()


def is_developed(path: Path) -> bool:
    """The mosaic's strange colours give it away."""
    red = corners(decoded(path))[0]
    return max(abs(a - b) for a, b in zip(red, RED, strict=True)) > 20


def assert_colours_in_place(path: Path) -> None:
    """Each corner has most of what its colour has: the mosaic's camera is a strange one."""
    red, green, blue, yellow = corners(decoded(path))
    assert max(red) == red[0] and max(green) == green[1] and max(blue) == blue[2]
    assert min(yellow) == yellow[2]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_libraw_reads_what_these_tests_write(tmp_path: Path, orientation: int) -> None:
    write_dng(tmp_path / "a.dng", large(stored(orientation)), orientation)
    with rawpy.imread(str(tmp_path / "a.dng")) as raw:
        assert raw.raw_type is rawpy.RawType.Flat
        assert raw.postprocess(half_size=True).shape == (32 * SCALE, 48 * SCALE, 3)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_what_is_developed_is_upright(tmp_path: Path, orientation: int) -> None:
    write_dng(tmp_path / "a.dng", large(stored(orientation)), orientation)
    outcome = decoded(tmp_path / "a.dng")
    assert (outcome.width, outcome.height) == (96 * SCALE, 64 * SCALE)
    assert_colours_in_place(tmp_path / "a.dng")


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_preview_without_a_word_of_its_own_is_turned_as_the_file_says(
    tmp_path: Path, orientation: int
) -> None:
    picture = large(stored(orientation))
    write_dng(tmp_path / "a.dng", picture, orientation, preview=picture)
    outcome = decoded(tmp_path / "a.dng")
    assert (outcome.width, outcome.height) == (96 * SCALE, 64 * SCALE)
    assert_upright(outcome)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_preview_is_turned_as_it_says_itself(tmp_path: Path, orientation: int) -> None:
    preview = large(stored(orientation))
    write_dng(tmp_path / "a.dng", large(scene()), 1, preview, exif(orientation))
    assert_upright(decoded(tmp_path / "a.dng"))


def test_a_preview_that_has_been_turned_already_is_left_so(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(stored(6)), 6, preview=large(scene()))
    assert_upright(decoded(tmp_path / "a.dng"))


def test_facts_of_a_raw_file(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()), preview=large(scene()))
    outcome = decoded(tmp_path / "a.dng")
    assert (outcome.format, outcome.kind, outcome.note) == ("DNG", PhotoKind.PHOTO, "")
    assert outcome.metadata.camera.text == "Test Box"
    taken = outcome.metadata.taken
    assert taken is not None and taken.iso == "2021-05-06T07:08:09"
    assert taken.source is ClockSource.CHANGED


def test_a_small_preview_is_not_enough(tmp_path: Path) -> None:
    write_dng(tmp_path / "large.dng", large(scene()), preview=large(scene()))
    write_dng(tmp_path / "small.dng", large(scene()), preview=scene())
    write_dng(tmp_path / "none.dng", large(scene()))
    found = [is_developed(tmp_path / f"{name}.dng") for name in ("large", "small", "none")]
    assert found == [False, True, True]


def test_a_look_at_the_whole_screen_asks_for_more_than_a_thumbnail(tmp_path: Path) -> None:
    path = tmp_path / "a.dng"
    write_dng(path, large(scene()), preview=scene(300, 200))
    small, screen = decode(path, thumbnail_px=256), decode(path, thumbnail_px=1280)
    assert isinstance(small, Decoded) and isinstance(screen, Decoded)
    assert_upright(small)
    assert max(abs(a - b) for a, b in zip(corners(screen)[0], RED, strict=True)) > 20
    assert (small.width, small.height) == (screen.width, screen.height)


def test_a_broken_preview_is_not_shown(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()), preview=large(scene()))
    data = bytearray((tmp_path / "a.dng").read_bytes())
    start = data.index(b"\xff\xda")
    (tmp_path / "a.dng").write_bytes(data[:start] + bytes(8) + data[start + 8 :])
    assert is_developed(tmp_path / "a.dng")


def test_the_hash_of_pixels_is_that_of_the_preview(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()), preview=large(scene()))
    data = (tmp_path / "a.dng").read_bytes()
    (tmp_path / "b.dng").write_bytes(data.replace(b"2021:05:06", b"2022:05:06"))
    write_dng(tmp_path / "c.dng", large(scene()), preview=large(scene()).rotate(180))
    one, tagged, other = (decoded(tmp_path / f"{name}.dng") for name in "abc")
    assert one.content_hash != tagged.content_hash
    assert one.pixel_hash == tagged.pixel_hash != other.pixel_hash


def test_a_raw_file_that_is_too_large_is_not_developed(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()))
    assert refused(tmp_path / "a.dng", max_pixels=100_000).reason is ProblemReason.TOO_LARGE


def test_another_picture_under_such_a_name_is_read_as_what_it_is(tmp_path: Path) -> None:
    scene().save(tmp_path / "a.nef", "JPEG", quality=95)
    scene().save(tmp_path / "b.raw", "TIFF")
    for name, format_name in (("a.nef", "JPEG"), ("b.raw", "TIFF")):
        outcome = decoded(tmp_path / name)
        assert outcome.format == format_name
        assert_upright(outcome)


def test_what_no_reader_knows_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.cr2").write_bytes(b"II*\0" + bytes(2000))
    outcome = refused(tmp_path / "a.cr2")
    assert outcome.reason is ProblemReason.UNSUPPORTED
    assert "CR2" in outcome.detail


def test_a_raw_file_that_is_cut_off_is_damaged(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()))
    data = (tmp_path / "a.dng").read_bytes()
    (tmp_path / "a.dng").write_bytes(data[:1000])
    assert refused(tmp_path / "a.dng").reason is ProblemReason.DAMAGED


def test_a_small_preview_is_shown_where_the_raw_data_are_gone(tmp_path: Path) -> None:
    write_dng(tmp_path / "a.dng", large(scene()), preview=scene())
    data = (tmp_path / "a.dng").read_bytes()
    (tmp_path / "a.dng").write_bytes(data[: len(data) - 2 * 96 * SCALE * 64 * SCALE])
    outcome = decoded(tmp_path / "a.dng")
    assert "small preview" in outcome.note
    assert_upright(outcome)
