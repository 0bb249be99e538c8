"""Films: a frame that shows something, upright; date, place and length; in bounded memory."""

import hashlib
import os
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from PIL import Image

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import FileStamp, PhotoKind, PointSource
from core.domain.place import GeoPoint
from core.domain.problem import ProblemReason
from core.ingest.decoding.display_matrix import matrix_orientation
from core.ingest.decoding.film_tags import film_metadata
from core.ingest.decoding.pixels import prepare_decoders
from core.ingest.decoding.source import read_source
from tests.core.ingest.decoding.films import RATE, write_film, write_sound
from tests.core.ingest.decoding.four_colours import (
    assert_upright,
    corners,
    decoded,
    refused,
    scene,
    stored,
)

pytestmark = pytest.mark.filterwarnings("ignore")
BLACK = Image.new("RGB", (96, 64))


@pytest.fixture(autouse=True)
def decoders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings are ignored, as in the processes that decode."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    prepare_decoders()


KINDS = [
    ("mp4", "mpeg4"),
    ("mp4", "libx264"),
    ("mov", "libx264"),
    ("mkv", "libx264"),
    ("webm", "libvpx-vp9"),
    ("avi", "mpeg4"),
    ("avi", "mjpeg"),
    ("3gp", "mpeg4"),
    ("mts", "libx264"),
    ("mpg", "mpeg2video"),
    ("wmv", "msmpeg4v3"),
    ("flv", "flv"),
    ("ogv", "libvpx"),
]


@pytest.mark.parametrize(("suffix", "codec"), KINDS)
def test_a_film_shows_a_frame_and_tells_its_length(tmp_path: Path, suffix: str, codec: str) -> None:
    path = tmp_path / f"a.{suffix}"
    rate = 25 if codec == "mpeg2video" else RATE
    write_film(path, [scene()] * 2 * rate, codec=codec, rate=rate)
    outcome = decoded(path)
    assert (outcome.width, outcome.height) == (96, 64)
    assert (outcome.kind, outcome.kind_reason) == (PhotoKind.VIDEO, "it is a video")
    assert outcome.format == suffix.upper()
    assert outcome.duration_s == pytest.approx(2, abs=1)
    assert outcome.content_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    assert_upright(outcome, 40)


@pytest.mark.parametrize(("rotation", "orientation"), [(0, 1), (90, 8), (180, 3), (270, 6)])
def test_a_film_is_turned_once(tmp_path: Path, rotation: int, orientation: int) -> None:
    for codec in ("mpeg4", "libx264"):
        write_film(tmp_path / "a.mp4", [stored(orientation)] * 5, codec=codec, rotation=rotation)
        outcome = decoded(tmp_path / "a.mp4")
        assert (outcome.width, outcome.height) == (96, 64)
        assert_upright(outcome, 40)


def test_a_matrix_that_mirrors(tmp_path: Path) -> None:
    one = 65_536
    matrices = [(one, 0, 0, one), (-one, 0, 0, one), (-one, 0, 0, -one), (one, 0, 0, -one)]
    matrices += [(0, one, one, 0), (0, one, -one, 0), (0, -one, -one, 0), (0, -one, one, 0)]
    for orientation, (a, b, c, d) in enumerate(matrices, start=1):
        numbers = (a, b, 0, c, d, 0, 0, 0, 1 << 30)
        raw = b"".join(n.to_bytes(4, "little", signed=True) for n in numbers)
        assert matrix_orientation(raw) == orientation
    assert matrix_orientation(b"") == matrix_orientation(bytes(36)) == 1


@pytest.mark.parametrize("codec", ["mpeg4", "libx264"])
@pytest.mark.parametrize("dark", [1, 15, 25])
def test_a_dark_beginning_is_passed_over(tmp_path: Path, codec: str, dark: int) -> None:
    write_film(tmp_path / "a.mp4", [*[BLACK] * dark, *[scene()] * 30], codec=codec)
    assert_upright(decoded(tmp_path / "a.mp4"), 40)


def test_a_film_that_is_dark_throughout_shows_its_brightest_frame(tmp_path: Path) -> None:
    dim = Image.new("RGB", (96, 64), (14, 14, 14))
    write_film(tmp_path / "a.mp4", [*[BLACK] * 8, dim, *[BLACK] * 8])
    assert min(corners(decoded(tmp_path / "a.mp4"))[0]) > 4


def test_squeezed_pixels_are_made_square(tmp_path: Path) -> None:
    write_film(tmp_path / "a.mp4", [scene()] * 5, squeezed=Fraction(4, 3))
    outcome = decoded(tmp_path / "a.mp4")
    assert (outcome.width, outcome.height) == (128, 64)


def test_the_time_and_place_of_an_apple_film(tmp_path: Path) -> None:
    tags = {
        "creation_time": "2020-01-02T03:04:05Z",
        "com.apple.quicktime.creationdate": "2020-01-02T05:04:05+0200",
        "com.apple.quicktime.location.ISO6709": "-33.8568+151.2153+012.500/",
        "com.apple.quicktime.make": "Test",
        "com.apple.quicktime.model": "Test Phone",
    }
    write_film(tmp_path / "a.mov", [scene()] * 3, tags, codec="libx264")
    metadata = decoded(tmp_path / "a.mov").metadata
    assert metadata.taken is not None and metadata.taken.iso == "2020-01-02T05:04:05+02:00"
    assert metadata.taken.source is ClockSource.VIDEO
    assert metadata.point == GeoPoint(-33.8568, 151.2153, 12.5)
    assert metadata.point_source is PointSource.VIDEO
    assert (metadata.camera.text, metadata.from_camera) == ("Test Phone", True)


def test_the_time_and_place_of_another_film(tmp_path: Path) -> None:
    tags = {"creation_time": "2020-01-02T03:04:05Z", "location": "+48.8577+002.2950/"}
    write_film(tmp_path / "a.mp4", [scene()] * 3, tags)
    metadata = decoded(tmp_path / "a.mp4").metadata
    assert metadata.taken is not None and metadata.taken.iso == "2020-01-02T03:04:05+00:00"
    assert metadata.point == GeoPoint(48.8577, 2.295)


NEW_YEAR = FileStamp(Path("/films/a.mp4"), 1, 1_577_836_800_000_000_000)


def time_of(tags: dict[str, str], name: str = "a.mp4") -> CaptureTime:
    stamp = FileStamp(Path("/films") / name, 1, NEW_YEAR.modified_ns)
    taken = film_metadata(tags, stamp).taken
    assert taken is not None
    return taken


def test_a_clock_that_was_never_set_tells_no_time() -> None:
    for epoch in ("1904-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0000-00-00", "2999-01-01", "x"):
        assert time_of({"creation_time": epoch}).source is ClockSource.FILE_TIME
        named = time_of({"creation_time": epoch}, "VID_20191224_180000.mp4")
        assert (named.source, named.local.day) == (ClockSource.FILE_NAME, 24)


def test_an_avi_tells_local_time() -> None:
    taken = time_of({"creation_time": "2006-10-29 14:33:55"})
    assert taken == CaptureTime(
        datetime(2006, 10, 29, 14, 33, 55), None, ClockSource.VIDEO, Precision.SECOND
    )


def test_an_offset_with_or_without_a_colon() -> None:
    for offset in ("-0530", "-05:30"):
        taken = time_of({"com.apple.quicktime.creationdate": f"2020-01-02T05:04:05{offset}"})
        assert taken.offset == -timedelta(hours=5, minutes=30)


@pytest.mark.parametrize(
    ("text", "point", "problem"),
    [
        ("+12.5+034.25/", GeoPoint(12.5, 34.25), ""),
        ("-1230.0-03415.0-10/", GeoPoint(-12.5, -34.25, -10.0), ""),
        ("+123000+0341500/", GeoPoint(12.5, 34.25), ""),
        ("+00.0000+000.0000/", None, "exactly (0, 0)"),
        ("+00.0000+010.0000/", GeoPoint(0.0, 10.0), ""),
        ("+95.0+010.0/", None, "out of range"),
        ("somewhere", None, "not a position"),
        ("", None, ""),
    ],
)
def test_positions_are_checked(text: str, point: GeoPoint | None, problem: str) -> None:
    metadata = film_metadata({"location": text}, NEW_YEAR)
    assert (metadata.point, metadata.gps_problem) == (point, problem)


def test_sound_without_pictures_is_listed_with_a_reason(tmp_path: Path) -> None:
    write_sound(tmp_path / "a.mp4")
    outcome = refused(tmp_path / "a.mp4")
    assert outcome.reason is ProblemReason.NOT_A_PHOTO
    assert "only sound" in outcome.detail


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "avi"])
def test_damaged_films_are_damaged(tmp_path: Path, suffix: str) -> None:
    write_film(tmp_path / f"a.{suffix}", [scene()] * 20)
    data = (tmp_path / f"a.{suffix}").read_bytes()
    (tmp_path / f"cut.{suffix}").write_bytes(data[:200])
    (tmp_path / f"empty.{suffix}").write_bytes(bytes(4000))
    assert refused(tmp_path / f"cut.{suffix}").reason is ProblemReason.DAMAGED
    assert refused(tmp_path / f"empty.{suffix}").reason is ProblemReason.DAMAGED


def test_half_a_film_shows_what_is_there(tmp_path: Path) -> None:
    write_film(tmp_path / "a.mkv", [Image.effect_noise((96, 64), 90).convert("RGB")] * 60)
    data = (tmp_path / "a.mkv").read_bytes()
    (tmp_path / "a.mkv").write_bytes(data[: len(data) // 2])
    assert decoded(tmp_path / "a.mkv").kind is PhotoKind.VIDEO


def test_a_film_that_is_too_large_is_not_decoded(tmp_path: Path) -> None:
    write_film(tmp_path / "a.mp4", [scene()] * 3)
    assert refused(tmp_path / "a.mp4", max_pixels=1000).reason is ProblemReason.TOO_LARGE


def test_a_list_of_films_opens_no_other_file(tmp_path: Path) -> None:
    write_film(tmp_path / "other.mp4", [scene()] * 3)
    names = {
        "hls": f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://{tmp_path}/other.mp4\n",
        "concat": f"ffconcat version 1.0\nfile {tmp_path}/other.mp4\n",
    }
    for name, text in names.items():
        (tmp_path / f"{name}.mp4").write_text(text)
        assert refused(tmp_path / f"{name}.mp4").reason is ProblemReason.DAMAGED


def test_a_file_name_is_never_taken_for_an_address(tmp_path: Path) -> None:
    for raw in (b"concat:a|b.mp4", b"caf\xe9.mp4", b"%03d.mp4"):
        path = tmp_path / os.fsdecode(raw)
        write_film(tmp_path / "a.mp4", [scene()] * 3)
        (tmp_path / "a.mp4").rename(path)
        assert decoded(path).kind is PhotoKind.VIDEO


def test_copies_with_other_tags_have_the_same_pixels(tmp_path: Path) -> None:
    for name, title in (("a", "One"), ("b", "Two")):
        write_film(tmp_path / f"{name}.mp4", [scene()] * 20, {"title": title})
    one, other = decoded(tmp_path / "a.mp4"), decoded(tmp_path / "b.mp4")
    assert (one.metadata.title, other.metadata.title) == ("One", "Two")
    assert one.content_hash != other.content_hash
    assert one.pixel_hash == other.pixel_hash


def test_a_film_is_not_held_in_memory(tmp_path: Path) -> None:
    write_film(tmp_path / "a.mp4", [scene()] * 3)
    size = 300_000_000
    with (tmp_path / "a.mp4").open("ab") as film:
        film.truncate(size)
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        pytest.skip("only Unix says how much memory was used")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    source = read_source(tmp_path / "a.mp4")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (source.size, source.data) == (size, b"")
    assert grown < 50_000
