"""Every format and orientation to upright sRGB pixels, and damaged files as far as they go."""

import io
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pillow_heif
import pillow_jxl  # noqa: F401 - teaches Pillow JPEG XL
import pytest
import tifffile
from PIL import Image

from core.domain.photo import PhotoKind
from core.domain.problem import ProblemReason
from core.ingest.decoding.jxl_header import read_jxl_header
from core.ingest.decoding.pixels import prepare_decoders
from core.ingest.decoding.second_look import BARELY, IN_PART
from core.ingest.decoding.still import FORMATS
from core.ingest.folders.sniff import Sniffed, reader_for, sniff_bytes, sniff_file
from core.paths import LibraryPaths
from tests.core.ingest.decoding.four_colours import (
    assert_upright,
    corners,
    decoded,
    refused,
    scene,
    stored,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def decoders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings are ignored, as in the processes that decode."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    prepare_decoders()


def turned(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def save_turned(path: Path, suffix: str, orientation: int) -> None:
    """A scene as a camera stores it that is held so."""
    picture, exif = stored(orientation), turned(orientation)
    if suffix == "heic":
        pillow_heif.from_pillow(picture).save(path, quality=95, exif=exif)
    elif suffix == "jp2":
        picture.save(path)
        content = b"JpgTiffExif->JP2" + exif.removeprefix(b"Exif\0\0")
        box = (len(content) + 8).to_bytes(4, "big") + b"uuid" + content
        path.write_bytes(path.read_bytes() + box)
    elif suffix == "jxl-jpeg":  # JPEG data packed without loss: they are not turned by it
        picture.save(path.with_suffix(".jpg"), exif=exif, quality=95)
        with Image.open(path.with_suffix(".jpg")) as jpeg:
            jpeg.save(path, lossless_jpeg=True)
    elif suffix == "tiff-lzw":
        picture.save(path, exif=exif, compression="tiff_lzw")
    elif suffix == "mpo":
        second = Image.new("RGB", picture.size, "black")
        picture.save(path, "MPO", exif=exif, save_all=True, append_images=[second], quality=95)
    else:
        picture.save(path, exif=exif, quality=95)


TURNED = ["jpg", "mpo", "png", "webp", "tif", "tiff-lzw", "avif", "heic", "jp2", "jxl", "jxl-jpeg"]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("suffix", TURNED)
def test_every_orientation_is_applied_once(tmp_path: Path, suffix: str, orientation: int) -> None:
    path = tmp_path / f"a.{suffix.partition('-')[0]}"
    save_turned(path, suffix, orientation)
    outcome = decoded(path)
    assert (outcome.width, outcome.height) == (96, 64)
    assert_upright(outcome)
    with Image.open(LibraryPaths(tmp_path / "library").thumbnail(outcome.content_hash)) as small:
        assert small.size == (96, 64)
        assert small.getpixel((10, 10))[0] > 180  # type: ignore[index]


WRITABLE = [
    "avif",
    "bmp",
    "blp",
    "dds",
    "dib",
    "gif",
    "im",
    "j2k",
    "jp2",
    "jpg",
    "jxl",
    "pcx",
    "png",
    "ppm",
    "qoi",
    "sgi",
    "tga",
    "tif",
    "webp",
]


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_format_keeps_its_colours(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    (scene().convert("P") if suffix == "blp" else scene()).save(path)
    assert sniff_file(path) is Sniffed.IMAGE
    outcome = decoded(path)
    assert outcome.note == ""
    assert_upright(outcome, 20)


@pytest.mark.parametrize(
    "suffix", ["png", "jxl", "ppm", "qoi", "sgi", "tif", "jp2", "webp", "gif", "bmp", "dds", "psd"]
)
def test_a_picture_without_a_suffix_is_known_by_its_bytes(tmp_path: Path, suffix: str) -> None:
    buffer = io.BytesIO(b"8BPS\0\1")
    if suffix != "psd":
        extension = Image.registered_extensions()[f".{suffix}"]
        scene().save(buffer, extension)
    assert sniff_bytes(buffer.getvalue()[:600]) is Sniffed.IMAGE


@pytest.mark.parametrize("mode", ["1", "L", "I;16", "F"])
def test_shades_of_grey(tmp_path: Path, mode: str) -> None:
    ramp = np.tile(np.linspace(0, 255, 96, dtype=np.float32), (64, 1))
    as_stored = {
        "1": Image.fromarray(ramp > 127),
        "L": Image.fromarray(ramp.astype(np.uint8)),
        "I;16": Image.fromarray((ramp * 257).astype(np.uint16)),
        "F": Image.fromarray(ramp / 255),
    }[mode]
    as_stored.save(tmp_path / "a.tif")
    pixels = np.frombuffer(decoded(tmp_path / "a.tif").square, np.uint8).reshape(32, 32, 3)
    assert pixels[16, 1].max() < 25 and pixels[16, 30].min() > 230


def save_tiff(path: Path, **options: object) -> None:
    tifffile.imwrite(path, np.asarray(scene()), photometric="rgb", **options)


def tiff_writers() -> dict[str, Callable[[Path], None]]:
    wide = np.asarray(scene()).astype(np.uint16) * 257
    bright = np.asarray(scene()).astype(np.float32) / 255
    planes = np.moveaxis(wide, 2, 0)
    cmyk = np.asarray(scene().convert("CMYK")).astype(np.uint16) * 257
    pages = np.stack([np.asarray(scene()), np.zeros((64, 96, 3), np.uint8)])
    write = tifffile.imwrite
    return {
        "tiles": lambda path: save_tiff(path, tile=(16, 16)),
        "big": lambda path: save_tiff(path, bigtiff=True),
        "first of two pages": lambda path: write(path, pages, photometric="rgb"),
        "16 bits": lambda path: write(path, wide, photometric="rgb"),
        "16 bits, big-endian": lambda path: write(path, wide, photometric="rgb", byteorder=">"),
        "16 bits in planes": lambda path: write(
            path, planes, photometric="rgb", planarconfig="separate"
        ),
        "16 bits CMYK": lambda path: write(path, cmyk, photometric="separated"),
        "float": lambda path: write(path, bright, photometric="rgb"),
    }


@pytest.mark.parametrize("sort", tiff_writers())
def test_every_sort_of_tiff(tmp_path: Path, sort: str) -> None:
    tiff_writers()[sort](tmp_path / "a.tif")
    outcome = decoded(tmp_path / "a.tif")
    assert outcome.format == "TIFF"
    assert_upright(outcome, 20)


def by_ffmpeg(codec: str, pixels: np.ndarray, layout: str) -> bytes:
    context = av.CodecContext.create(codec, "w")
    context.height, context.width = pixels.shape[:2]
    context.pix_fmt, context.time_base = layout, Fraction(1)
    frame = av.VideoFrame.from_ndarray(pixels, layout)
    return b"".join(map(bytes, [*context.encode(frame), *context.encode(None)]))


@pytest.mark.parametrize("suffix", ["exr", "hdr"])
def test_high_dynamic_range_is_shown_as_a_screen_can(tmp_path: Path, suffix: str) -> None:
    light = (np.asarray(scene()).astype(np.float32) / 255) ** 2.2
    (tmp_path / f"a.{suffix}").write_bytes(by_ffmpeg(suffix, light, "gbrpf32le"))
    outcome = decoded(tmp_path / f"a.{suffix}")
    assert (outcome.format, outcome.note) == (suffix.upper(), "")
    assert_upright(outcome, 20)


def test_sixteen_bits_in_colour_in_png(tmp_path: Path) -> None:
    wide = np.asarray(scene()).astype(np.uint16) * 257
    (tmp_path / "a.png").write_bytes(by_ffmpeg("png", wide.byteswap(), "rgb48be"))
    assert_upright(decoded(tmp_path / "a.png"))


def test_no_reader_is_used_that_starts_other_programs_or_opens_what_it_finds() -> None:
    assert not set(FORMATS) & {"EPS", "WMF", "GRIB", "BUFR", "HDF5", "MPEG", "IPTC", "FPX", "MIC"}


@pytest.mark.parametrize("size", [(96, 64), (1000, 3), (256, 256), (8, 8), (300, 1500)])
def test_the_size_of_a_jpeg_xl_is_known_before_it_is_decoded(size: tuple[int, int]) -> None:
    for container in (False, True):
        buffer = io.BytesIO()
        Image.new("RGB", size, "red").save(buffer, "JXL", use_container=container)
        header = read_jxl_header(buffer.getvalue())
        assert (header.width, header.height, header.orientation) == (*size, 1)


def test_a_jpeg_xl_that_is_too_large_is_not_decoded(tmp_path: Path) -> None:
    scene(400, 400).save(tmp_path / "a.jxl")
    outcome = refused(tmp_path / "a.jxl", max_pixels=100_000)
    assert outcome.reason is ProblemReason.TOO_LARGE
    assert "400x400" in outcome.detail


def noise(side: int = 400) -> Image.Image:
    coarse = Image.effect_noise((side // 10, side // 10), 120).convert("RGB")
    return coarse.resize((side, side), Image.Resampling.NEAREST)


@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_half_a_file_is_shown_as_far_as_it_goes(tmp_path: Path, suffix: str) -> None:
    whole, half = tmp_path / f"whole.{suffix}", tmp_path / f"half.{suffix}"
    noise().save(whole, exif=turned(6))
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    outcome = decoded(half)
    assert outcome.note == IN_PART
    assert (outcome.width, outcome.height) == (400, 400)
    assert decoded(whole).note == ""
    pixels = np.frombuffer(outcome.square, np.uint8).reshape(32, 32, 3).astype(int)
    shown, missing = pixels[2:30, 20:30].std(), pixels[2:30, 2:10].std()  # turned: right, left
    assert shown > 5 > missing


def test_a_faulty_checksum_does_not_hide_a_picture(tmp_path: Path) -> None:
    scene().save(tmp_path / "a.png")
    data = bytearray((tmp_path / "a.png").read_bytes())
    data[29] ^= 0xFF  # in the check of the header
    (tmp_path / "a.png").write_bytes(data)
    outcome = decoded(tmp_path / "a.png")
    assert outcome.note == IN_PART
    assert_upright(outcome)


def test_a_jpeg_with_a_damaged_start_is_read_by_ffmpeg_and_turned(tmp_path: Path) -> None:
    stored(6).save(tmp_path / "a.jpg", exif=turned(6), quality=95)
    data = bytearray((tmp_path / "a.jpg").read_bytes())
    data[2] = 0  # no longer the mark of a segment
    (tmp_path / "a.jpg").write_bytes(data)
    outcome = decoded(tmp_path / "a.jpg")
    assert (outcome.note, outcome.format) == (IN_PART, "JPEG")
    assert_upright(outcome)


def test_what_shows_nothing_stays_out_of_stories(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    noise().save(buffer, "JPEG")
    start = buffer.getvalue().index(b"\xff\xda")
    (tmp_path / "a.jpg").write_bytes(buffer.getvalue()[: start + 30])
    outcome = decoded(tmp_path / "a.jpg")
    assert (outcome.note, outcome.kind) == (BARELY, PhotoKind.GRAPHIC)


def test_whole_files_are_read_strictly_after_a_damaged_one(tmp_path: Path) -> None:
    test_half_a_file_is_shown_as_far_as_it_goes(tmp_path, "jpg")
    with Image.open(tmp_path / "half.jpg") as half, pytest.raises(OSError, match="truncated"):
        half.load()


def test_bytes_are_believed_before_names() -> None:
    jpeg, tiff = b"\xff\xd8\xff\xe0" + bytes(600), b"II*\0" + bytes(600)
    film = b"\0\0\0\x18ftypmp42" + bytes(600)
    assert reader_for(Path("a.dng"), tiff) is Sniffed.RAW
    assert reader_for(Path("a.dng"), jpeg) is Sniffed.IMAGE
    assert reader_for(Path("a.tif"), tiff) is Sniffed.IMAGE
    assert reader_for(Path("a.jpg"), film) is Sniffed.VIDEO
    assert reader_for(Path("a.mov"), bytes(600)) is Sniffed.VIDEO
    assert reader_for(Path("a.mov"), jpeg) is Sniffed.IMAGE


def test_grey_with_transparency_in_jpeg_2000(tmp_path: Path) -> None:
    scene().convert("LA").save(tmp_path / "a.jp2")
    found = corners(decoded(tmp_path / "a.jp2"))
    assert all(len(set(colour)) == 1 for colour in found)
