"""What leaves the library: the picture as it is, and nothing of place, device or people."""

import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import exifread
import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.engine import Engine
from core.errors import Cancelled, FolderUnwritable
from core.export.clean_exif import clean_exif
from core.export.copies import ExportOptions, ExportReport
from core.export.jpeg import clean_jpeg
from core.export.malformed import Malformed
from core.export.new_file import write_new
from core.export.png import clean_png
from core.export.webp import clean_webp
from core.progress import Progress, ProgressReport
from tests.core.export import private
from tests.core.pictures import FAKES

CLEAN, KEEP = ExportOptions(), ExportOptions(keep_private=True)
MAKERS: dict[str, Callable[[Path], Path]] = {
    "a.jpg": private.secret_jpeg,
    "b.png": private.secret_png,
    "c.webp": private.secret_webp,
    "d.tif": private.secret_tiff,
    "e.heic": private.secret_heic,
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    pillow_heif.register_heif_opener()
    with closing(Engine.open(tmp_path / "library", FAKES)) as opened:
        yield opened


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    (tmp_path / "photos").mkdir()
    return tmp_path / "photos"


def export(engine: Engine, photos: Path, to: Path, options: ExportOptions = CLEAN) -> ExportReport:
    engine.index([photos], Progress())
    ids = [engine.library.photos.id_at(path) for path in sorted(photos.iterdir())]
    return engine.export([i for i in ids if i is not None], to, options, Progress())


def says_a_secret(data: bytes) -> list[bytes]:
    gps = b"".join(n.to_bytes(4, "little") for pair in private.LATITUDE for n in pair)
    swapped = b"".join(n.to_bytes(4, "big") for pair in private.LATITUDE for n in pair)
    return [secret for secret in (*private.SECRETS, gps, swapped) if secret in data]


@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_says_nothing_private(engine: Engine, photos: Path, tmp_path: Path, name: str):
    source = MAKERS[name](photos / name)
    assert says_a_secret(source.read_bytes()), "the test could not fail"
    report = export(engine, photos, tmp_path / "out")
    (copy,) = report.copies
    data = copy.target.read_bytes()
    assert says_a_secret(data) == []
    tags = exifread.process_file(io.BytesIO(data), details=True)
    allowed = {"Image Orientation", "Image ExifOffset", "EXIF DateTimeOriginal",
               "EXIF OffsetTimeOriginal"}  # fmt: skip
    assert set(tags) - allowed == set()
    assert not report.failed


@pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
@pytest.mark.parametrize("name", ["a.jpg", "b.png", "c.webp"])
def test_the_picture_itself_is_the_same(engine: Engine, photos: Path, tmp_path: Path, name: str):
    source = MAKERS[name](photos / name)
    (copy,) = export(engine, photos, tmp_path / "out").copies
    with Image.open(source) as before, Image.open(copy.target) as after:
        assert np.array_equal(np.asarray(before), np.asarray(after))
        assert after.format == before.format
        assert after.info.get("icc_profile") == private.profile()
        exif = after.getexif()
        assert exif.get(0x0112) == 6
        assert exif.get_ifd(0x8769).get(0x9003) == "2021:07:03 09:30:15"


@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_is_not_encoded_again(photos: Path, progressive: bool) -> None:
    data = private.secret_jpeg(photos / "a.jpg", progressive=progressive).read_bytes()
    clean, had_more = clean_jpeg(data, b"")
    assert had_more
    picture = data[data.rindex(b"\xff\xdb") : data.rindex(b"\xff\xd9") + 2]
    assert len(picture) > 1000
    assert clean.endswith(picture)
    assert clean_jpeg(clean, b"") == (clean, False)


@pytest.mark.parametrize("name", ["d.tif", "e.heic"])
def test_other_formats_become_a_jpeg_with_a_note(
    engine: Engine, photos: Path, tmp_path: Path, name: str
) -> None:
    source = MAKERS[name](photos / name)
    (copy,) = export(engine, photos, tmp_path / "out").copies
    assert copy.target.name == f"{source.stem}.jpg"
    assert "JPEG" in copy.note
    with Image.open(copy.target) as after, Image.open(source) as before:
        assert after.format == "JPEG"
        before.load()  # Pillow turns a TIFF, and a HEIC says how its pixels lie by itself
        assert after.size == before.size
        assert after.getexif().get(0x0112, 1) == 1
        small = [np.asarray(p.convert("RGB").resize((8, 8)), float) for p in (before, after)]
        assert np.abs(small[0] - small[1]).mean() < 12


def test_kept_private_copies_are_the_very_files(engine: Engine, photos: Path, tmp_path: Path):
    for name, make in MAKERS.items():
        make(photos / name)
    report = export(engine, photos, tmp_path / "out", KEEP)
    assert len(report.copies) == len(MAKERS)
    for copy in report.copies:
        assert copy.target.read_bytes() == copy.source.read_bytes()


def test_nothing_is_overwritten(engine: Engine, photos: Path, tmp_path: Path) -> None:
    private.secret_jpeg(photos / "a.jpg")
    (photos / "sub").mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.jpg").write_bytes(b"mine")
    (out / "a (2).jpg").write_bytes(b"mine too")
    (copy,) = export(engine, photos, out).copies
    assert copy.target == out / "a (3).jpg"
    assert (out / "a.jpg").read_bytes() == b"mine"
    assert (out / "a (2).jpg").read_bytes() == b"mine too"
    assert sorted(p.name for p in out.iterdir()) == ["a (2).jpg", "a (3).jpg", "a.jpg"]


def test_names_are_free_without_links_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "x.jpg").write_bytes(b"mine")
    assert write_new(tmp_path, "x.jpg", [b"new"]) == tmp_path / "x (2).jpg"
    assert (tmp_path / "x.jpg").read_bytes() == b"mine"
    assert (tmp_path / "x (2).jpg").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 2


def test_many_at_once_take_different_names(tmp_path: Path) -> None:
    made: list[Path] = []
    threads = [
        threading.Thread(target=lambda: made.append(write_new(tmp_path, "x.jpg", [b"new"])))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 20
    assert sorted(tmp_path.iterdir()) == sorted(made)


def test_cancelling_leaves_whole_files_only(engine: Engine, photos: Path, tmp_path: Path) -> None:
    for number in range(6):
        private.secret_jpeg(photos / f"{number}.jpg")
    engine.index([photos], Progress())
    ids = engine.library.photos.ids()
    progress = Progress()

    def stop(report: ProgressReport) -> None:
        if report.stage == "export":
            progress.cancel()

    progress.listener = stop
    with pytest.raises(Cancelled):
        engine.export(ids, tmp_path / "out", CLEAN, progress)
    made = list((tmp_path / "out").iterdir())
    assert 0 < len(made) < 6
    for path in made:
        with Image.open(path) as picture:
            picture.load()


def test_bad_folders_are_refused(engine: Engine, photos: Path, tmp_path: Path) -> None:
    private.secret_jpeg(photos / "a.jpg")
    (tmp_path / "file").write_bytes(b"")
    bad = [tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere"),
           tmp_path / "library" / "thumbnails", Path("/proc")]  # fmt: skip
    for folder in bad:
        with pytest.raises(FolderUnwritable) as caught:
            export(engine, photos, folder)
        assert caught.value.advice


def test_a_full_disk_is_told(engine: Engine, photos: Path, monkeypatch: pytest.MonkeyPatch,
                             tmp_path: Path) -> None:  # fmt: skip
    private.secret_jpeg(photos / "a.jpg")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.export.new_file.os.fsync", full)
    with pytest.raises(FolderUnwritable, match="no space left"):
        export(engine, photos, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_photo_that_is_not_there_is_listed(engine: Engine, photos: Path, tmp_path: Path) -> None:
    private.secret_jpeg(photos / "a.jpg")
    private.secret_png(photos / "b.png")
    engine.index([photos], Progress())
    ids = engine.library.photos.ids()
    (photos / "a.jpg").unlink()
    report = engine.export(ids, tmp_path / "out", CLEAN, Progress())
    assert [copy.source.name for copy in report.copies] == ["b.png"]
    assert [(f.source.name, "no such file" in f.reason) for f in report.failed] == [("a.jpg", True)]


def test_a_torn_jpeg_becomes_a_new_one(engine: Engine, photos: Path, tmp_path: Path) -> None:
    data = private.secret_jpeg(photos / "a.jpg").read_bytes()
    with pytest.raises(Malformed):
        clean_jpeg(data[: data.rindex(b"\xff\xd9") - 200], b"")


@pytest.mark.parametrize("clean", [clean_jpeg, clean_png, clean_webp])
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_is_refused_and_never_crashes(clean, data: st.DataObject) -> None:
    """Files cut, with bytes changed: rewritten to a whole or refused as malformed."""
    raw = bytearray(_sample(clean.__name__))
    raw = raw[: data.draw(st.integers(0, len(raw)))]
    for place, value in data.draw(
        st.lists(st.tuples(st.integers(0, max(len(raw) - 1, 0)), st.integers(0, 255)), max_size=6)
    ):
        if raw:
            raw[place] = value
    try:
        cleaned, _ = clean(bytes(raw), b"")
    except Malformed:
        return
    assert clean(cleaned, b"") == (cleaned, False)


def _sample(name: str) -> bytes:
    kind = {"clean_jpeg": "JPEG", "clean_png": "PNG", "clean_webp": "WEBP"}[name]
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(buffer, kind, exif=private.secret_exif())
    return buffer.getvalue()


def test_what_the_library_was_told_by_hand_leaves_with_the_copy() -> None:
    corrected = CaptureTime(
        datetime(2021, 7, 3, 11), timedelta(hours=-3, minutes=-30), ClockSource.ORIGINAL,
        Precision.SECOND,
    )  # fmt: skip
    exif = Image.Exif()
    exif.load(b"Exif\0\0" + clean_exif(3, corrected))
    inner = exif.get_ifd(0x8769)
    assert (inner[0x9003], inner[0x9011]) == ("2021:07:03 11:00:00", "-03:30")
    assert exif[0x0112] == 3
    assert clean_exif(1, None) == b""


def test_animations_stay_whole(photos: Path) -> None:
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "blue", "green")]
    for kind, clean in (("PNG", clean_png), ("WEBP", clean_webp)):
        buffer = io.BytesIO()
        frames[0].save(buffer, kind, save_all=True, append_images=frames[1:], lossless=True)
        cleaned, _ = clean(buffer.getvalue(), b"")
        with Image.open(io.BytesIO(cleaned)) as picture:
            assert picture.n_frames == 3
            picture.seek(2)
            difference = ImageChops.difference(picture.convert("RGB"), frames[2])
            assert difference.getbbox() is None
