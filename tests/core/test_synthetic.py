"""The large libraries that other tests stand on."""

import hashlib
from pathlib import Path

from core.domain.photo import PhotoKind
from core.domain.tag import TagKind
from core.paths import LibraryPaths
from core.store.columns import load_columns
from core.store.library import Library, open_library
from tests.core.synthetic import file_name, fill_library


def digest(library: Library) -> str:
    with library.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM photos ORDER BY id").all()
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def test_the_same_seed_makes_the_same_library(tmp_path: Path) -> None:
    made = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        library = open_library(LibraryPaths(tmp_path / name))
        fill_library(library, photos=1_200, seed=seed)
        made.append(digest(library))
        library.close()
    assert made[0] == made[1] != made[2]


def test_it_looks_like_a_household(tmp_path: Path) -> None:
    library = open_library(LibraryPaths(tmp_path))
    fill_library(library, photos=12_000, vectors=("noise", 16))
    assert library.database.check() == []
    assert library.photos.count() == 12_000
    columns = load_columns(library.database)
    assert {PhotoKind.PHOTO.value, PhotoKind.SCREENSHOT.value} <= set(columns.kind.tolist())
    assert 0.3 < (columns.latitude == columns.latitude).mean() < 0.9  # NaN is unlike itself
    assert {"AT", "FR", "IS"} <= set(columns.country.tolist())
    assert 0 < (columns.order != columns.order).mean() < 0.05
    ids, vectors = library.vectors.load("noise")
    assert vectors.shape == (12_000, 16) and ids.tolist() == columns.ids.tolist()
    assert len(library.tags.counts(TagKind.KEYWORD)) > 5
    photo = library.photos.photos(library.photos.ids()[:1])[0]
    assert photo.path == Path(file_name(1)) and photo.facts.taken is not None
    library.close()
