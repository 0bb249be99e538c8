"""Lists of sessions and trips are those of today's photos, whoever changed them last."""

import json
from pathlib import Path

import pytest

from app.cli import main
from core.paths import LibraryPaths
from core.settings import SessionSettings
from core.store.library import open_library
from tests.core.synthetic import fill_library


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    """A library whose photos came in and whose run was cut off before its sessions were made."""
    library = open_library(LibraryPaths(tmp_path))
    fill_library(library, photos=300)
    assert library.sessions.counts()[0] == 0
    library.close()
    return tmp_path


def items(capfd: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    capfd.readouterr()
    assert main([*words, "--json"]) == 0
    found: list[dict[str, object]] = json.loads(capfd.readouterr().out)["items"]
    return found


def test_sessions_that_were_never_made_are_made_and_listed(
    stale: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = items(capfd, "sessions", "--library", str(stale))
    assert len({path for item in found for path in item["photos"]}) > 200  # type: ignore[attr-defined]
    assert items(capfd, "sessions", "--library", str(stale)) == found


def test_other_settings_are_heeded_without_indexing_again(
    stale: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = items(capfd, "trips", "--library", str(stale))
    hours = SessionSettings().trip_gap_hours * 100
    LibraryPaths(stale).settings.write_text(f"[sessions]\ntrip_gap_hours = {hours}\n")
    after = items(capfd, "trips", "--library", str(stale))
    assert 0 < len(after) < len(before)
