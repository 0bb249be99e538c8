"""The comparison of metadata readers: what it counts, and where there is nothing to compare."""

import shutil
from pathlib import Path

import pytest

from core.benchmark.cost import Cost
from core.benchmark.metadata_speed import MetadataSpeed, copy_photos, metadata_speed
from core.errors import DatasetError
from core.progress import Progress
from tests.core.ingest.metadata.metadata_files import full_exif, jpeg


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.jpg").write_bytes(jpeg(full_exif()))
    (source / "notes.txt").write_text("no photo")
    assert copy_photos(source, tmp_path / "copies", 5) == 5
    return tmp_path / "copies"


def test_only_photos_are_counted(photos: Path) -> None:
    speed = metadata_speed(photos, Progress(), rounds=1)
    assert speed.photos == 5
    assert speed.ours.rate(5) > 0
    assert (speed.theirs is not None) == (shutil.which("exiftool") is not None)


def test_without_the_other_there_is_no_ratio(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    speed = metadata_speed(photos, Progress(), rounds=1)
    assert speed.theirs is None and speed.ratio is None and speed.ratio_of_processor is None


def test_ratios() -> None:
    speed = MetadataSpeed(100, ours=Cost(2.0, 1.0), theirs=Cost(20.0, 15.0))
    assert (speed.ratio, speed.ratio_of_processor) == (10.0, 15.0)
    assert speed.ours.rate(100) == 50.0


def test_a_folder_without_photos(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        copy_photos(tmp_path, tmp_path / "copies", 5)
