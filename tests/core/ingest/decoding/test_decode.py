"""One file to hashes, upright sRGB pixels and metadata, or the reason why not."""

import io
from pathlib import Path

import numpy as np
import piexif
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from core.domain.photo import FileStamp, PhotoKind
from core.domain.problem import ProblemReason
from core.domain.tag import tag_names
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Known, Refused
from core.ingest.decoding.pixels import prepare_decoders
from core.paths import LibraryPaths
from tests.core.ingest.decoding.four_colours import (
    BLUE,
    assert_upright,
    corners,
    decode,
    decoded,
    refused,
    scene,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def decoders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings are ignored, as in the processes that decode."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    prepare_decoders()


def wide_grey() -> Image.Image:
    ramp = np.linspace(0, 65_535, 64, dtype=np.uint16)
    return Image.fromarray(np.tile(ramp, (48, 1)))


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path) -> None:
    for name in ("grey.png", "grey.tif"):
        wide_grey().save(tmp_path / name)
        pixels = np.frombuffer(decoded(tmp_path / name).square, np.uint8).reshape(32, 32, 3)
        assert pixels[16, 0, 0] < 12 and 110 < pixels[16, 16, 0] < 145 and pixels[16, 31, 0] > 243


@pytest.mark.parametrize("mode", ["P", "CMYK", "RGBA", "YCbCr"])
def test_every_mode_keeps_its_colours(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.png" if mode in ("P", "RGBA") else "a.tif")
    scene().convert(mode).save(path)
    assert_upright(decoded(path), 20)


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    for mode, name in (("LA", "a.png"), ("RGBA", "b.webp")):
        Image.new(mode, (120, 120), 0).save(tmp_path / name)
        outcome = decoded(tmp_path / name)
        assert corners(outcome) == [(255, 255, 255)] * 4
        assert outcome.kind is PhotoKind.GRAPHIC


def test_the_first_frame_of_an_animation(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (120, 120), BLUE)]
    for name in ("a.gif", "a.png", "a.webp"):
        scene(120, 120).save(tmp_path / name, save_all=True, append_images=frames, lossless=True)
        assert_upright(decoded(tmp_path / name))


def test_colour_profiles_lead_to_srgb(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    lab = ImageCms.profileToProfile(
        scene(), ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
    )
    assert lab is not None
    lab.save(tmp_path / "a.tif", icc_profile=profile)
    assert_upright(decoded(tmp_path / "a.tif"), 20)


def test_a_broken_profile_is_ignored(tmp_path: Path) -> None:
    scene().save(tmp_path / "a.png", icc_profile=b"nonsense")
    assert_upright(decoded(tmp_path / "a.png"))


def test_pixel_hash_ignores_metadata_and_content_hash_does_not(tmp_path: Path) -> None:
    scene(1200, 800).save(tmp_path / "a.jpg", quality=90)
    data = (tmp_path / "a.jpg").read_bytes()
    exif = piexif.dump({"0th": {piexif.ImageIFD.Make: b"Test", piexif.ImageIFD.Orientation: 6}})
    tagged = io.BytesIO()
    piexif.insert(exif, data, tagged)
    (tmp_path / "b.jpg").write_bytes(tagged.getvalue())
    scene(1200, 800).rotate(180).save(tmp_path / "c.jpg", quality=90)
    one, other, third = (decoded(tmp_path / name) for name in ("a.jpg", "b.jpg", "c.jpg"))
    assert one.content_hash != other.content_hash
    assert one.pixel_hash == other.pixel_hash != third.pixel_hash
    assert (other.width, other.height) == (800, 1200)


def test_known_content_is_left_alone(tmp_path: Path) -> None:
    scene().save(tmp_path / "a.jpg")
    assert isinstance(decode(tmp_path / "a.jpg", known=True), Known)
    assert not (tmp_path / "library").exists()


def test_refusals_have_their_reasons(tmp_path: Path) -> None:
    scene(400, 400).save(tmp_path / "whole.jpg")
    whole = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "text.jpg").write_text("this is no picture")
    (tmp_path / "film.jpg").write_bytes(b"\0\0\0\x18ftypisom" + bytes(64))
    (tmp_path / "none.jpg").write_bytes(b"")
    (tmp_path / "stub.jpg").write_bytes(whole[:100])
    assert refused(tmp_path / "stub.jpg").reason is ProblemReason.DAMAGED
    assert refused(tmp_path / "text.jpg").reason is ProblemReason.DAMAGED
    assert refused(tmp_path / "film.jpg").reason is ProblemReason.DAMAGED
    assert refused(tmp_path / "none.jpg").reason is ProblemReason.EMPTY
    too_large = refused(tmp_path / "whole.jpg", max_pixels=100_000)
    assert too_large.reason is ProblemReason.TOO_LARGE and "400x400" in too_large.detail
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nowhere.jpg")
    job = DecodeJob(FileStamp(tmp_path / "gone.jpg", 1, 1))
    outcome = decode_file(job, DecodeLimits(LibraryPaths(tmp_path), 8), lambda _: False)
    assert isinstance(outcome, Refused) and outcome.reason is ProblemReason.UNREADABLE


def test_metadata_of_a_real_header(tmp_path: Path) -> None:
    exif = {
        "0th": {
            piexif.ImageIFD.Make: b"Test",
            piexif.ImageIFD.Model: b"Test Brush\0\0",
            piexif.ImageIFD.XPTitle: "Sea \u202eand\x07 sky".encode("utf-16-le"),
            piexif.ImageIFD.XPKeywords: "sea;sky;sea".encode("utf-16-le"),
            piexif.ImageIFD.ImageDescription: b"OLYMPUS DIGITAL CAMERA",
        },
        "Exif": {
            piexif.ExifIFD.DateTimeOriginal: b"2019:07:14 12:30:00",
            piexif.ExifIFD.OffsetTimeOriginal: b"+02:00",
            piexif.ExifIFD.ExposureTime: (1, 250),
            piexif.ExifIFD.FNumber: (28, 10),
            piexif.ExifIFD.ISOSpeedRatings: 100,
            piexif.ExifIFD.FocalLength: (50, 1),
            piexif.ExifIFD.BodySerialNumber: b"4711",
        },
        "GPS": {
            piexif.GPSIFD.GPSLatitudeRef: b"S",
            piexif.GPSIFD.GPSLatitude: ((33, 1), (52, 1), (0, 1)),
            piexif.GPSIFD.GPSLongitudeRef: b"E",
            piexif.GPSIFD.GPSLongitude: ((151, 1), (12, 1), (0, 0)),
        },
    }
    scene().save(tmp_path / "a.jpg", exif=piexif.dump(exif))
    metadata = decoded(tmp_path / "a.jpg").metadata
    assert metadata.camera.text == "Test Brush" and metadata.camera.serial == "4711"
    assert metadata.title == "Sea and sky"
    assert tag_names(metadata.tags) == ("sea", "sky")
    assert metadata.exposure == "1/250 s, f/2.8, ISO 100, 50 mm"
    assert metadata.taken is not None and metadata.taken.iso == "2019-07-14T12:30:00+02:00"
    assert metadata.point is None and metadata.gps_problem == "zero denominator"


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=12))
def test_damaged_headers_are_photos_or_refused(
    tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    gps = {piexif.GPSIFD.GPSLatitudeRef: b"N", piexif.GPSIFD.GPSLatitude: ((1, 1), (2, 1), (3, 1))}
    tags = {"0th": {piexif.ImageIFD.Make: b"Test"}, "GPS": gps}
    tags["Exif"] = {piexif.ExifIFD.DateTimeOriginal: b"2019:07:14 12:30:00"}
    exif = bytearray(piexif.dump(tags))
    for at, value in changes:
        exif[6 + at % (len(exif) - 6)] = value
    path = tmp_path / "a.jpg"
    scene().save(path, exif=bytes(exif))
    assert isinstance(decode(path), Decoded | Refused)
