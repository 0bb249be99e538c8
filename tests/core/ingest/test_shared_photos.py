"""The development photos beside the checkout: nothing in them stops or hangs a scan."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.backends.fakes import TinyGazetteer, fake_perception
from core.domain.photo import FileStamp
from core.domain.problem import ProblemReason
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import DecodeJob, Refused
from core.ingest.decoding.limits import decode_limits
from core.ingest.folders.refusal import refusal
from core.ingest.folders.scan import Found
from core.ingest.pipeline import index_folders
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import DecodeSettings, Settings
from core.store.library import open_library
from tests.core.ingest.metadata.readers import READERS, TEXT_AS_ART, readings

PHOTOS = Path(__file__).parents[4] / "shared" / "data" / "photos"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="needs ../shared/data/photos"),
]


@pytest.mark.parametrize(
    "folder", ["decoder-crashes", "heif/pillow_heif/images/heif_corrupted", "trips"]
)
def test_every_file_is_in_the_library_or_listed(tmp_path: Path, folder: str) -> None:
    library = open_library(LibraryPaths(tmp_path / "library"))
    report = index_folders(
        [PHOTOS / folder], library, fake_perception(), TinyGazetteer(), Settings(), Progress()
    )
    photos = library.photos.photos(library.photos.ids())
    taken = {file.path for photo in photos for file in photo.files}
    listed = {problem.path for problem in report.problems}
    assert not taken & listed
    assert taken | listed == {path for path in (PHOTOS / folder).rglob("*") if path.is_file()}
    library.close()


def outcomes(folder: Path, paths: Sequence[Path]) -> dict[Path, str]:
    """What becomes of each file by itself: "" where it is taken, else the reason."""
    found, jobs = {}, []
    for path in paths:
        facts = path.stat()
        stamp = FileStamp(path, facts.st_size, facts.st_mtime_ns)
        refused = refusal(Found(stamp), DecodeSettings())
        found[path] = refused[0].value if refused else ""
        if not refused:
            jobs.append(DecodeJob(stamp, only_new=False))
    limits = decode_limits(LibraryPaths(folder), 32, DecodeSettings())
    with DecodePool(limits) as pool, pool.outcomes(iter(jobs), lambda _: False) as decoded:
        for outcome in decoded:
            if isinstance(outcome, Refused):
                found[outcome.stamp.path] = outcome.reason.value
    return found


@pytest.mark.soak
def test_nothing_that_another_reader_reads_is_missed(tmp_path: Path) -> None:
    paths = sorted(path for path in PHOTOS.rglob("*") if path.is_file())
    ours = outcomes(tmp_path, paths)
    over_a_limit = (ProblemReason.TOO_LARGE.value, ProblemReason.DECODER_TIMEOUT.value)
    missed = {
        (str(path.relative_to(PHOTOS)), reader, ours[path])
        for reader in READERS
        for path, reading in zip(paths, readings(reader, paths), strict=True)
        if ours[path] and ours[path] not in over_a_limit
        if reading.startswith("read") and not reading.endswith(TEXT_AS_ART)
    }
    assert missed == set()
    assert sum(not reason for reason in ours.values()) > 500


def test_the_walk_near_arezzo_is_one_session(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path / "library"))
    folder = PHOTOS / "exif-samples" / "jpg" / "gps"
    index_folders([folder], library, fake_perception(), TinyGazetteer(), Settings(), Progress())
    lengths = [len(session.photo_ids) for session in library.sessions.sessions()]
    assert 9 in lengths
    library.close()
