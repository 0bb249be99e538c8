"""A house for every test of whole runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.paths import LibraryPaths
from core.store.library import open_library
from tests.core.ingest.houses import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    library = open_library(LibraryPaths(tmp_path / "library"))
    (tmp_path / "photos").mkdir()
    yield House(tmp_path / "photos", library)
    library.close()
