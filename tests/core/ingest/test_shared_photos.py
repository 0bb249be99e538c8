"""The development photos beside the checkout: nothing in them stops or hangs a scan."""

from pathlib import Path

import pytest

from core.backends.fakes import TinyGazetteer, fake_perception
from core.ingest.pipeline import index_folders
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import Settings
from core.store.library import open_library

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


def test_the_walk_near_arezzo_is_one_session(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path / "library"))
    folder = PHOTOS / "exif-samples" / "jpg" / "gps"
    index_folders([folder], library, fake_perception(), TinyGazetteer(), Settings(), Progress())
    lengths = [len(session.photo_ids) for session in library.sessions.sessions()]
    assert 9 in lengths
    library.close()
