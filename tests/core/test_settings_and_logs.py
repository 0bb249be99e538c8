"""Settings and logs where their files are not what they should be."""

import logging
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs import log_to_folder, stop_logging
from core.settings import Settings, load_settings


def test_no_settings_are_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"x = [", "TOML"),
        (b"[decode]\nworkers = 999", "decode.workers"),
        (b"unknown = 1", "unknown"),
    ],
)
def test_wrong_settings_name_what_is_wrong(tmp_path: Path, content: bytes, hint: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    with pytest.raises(InputError, match=hint):
        load_settings(file)


def test_a_folder_in_place_of_settings_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_settings(tmp_path)


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way")
    handler = log_to_folder(tmp_path / "logs")
    logging.getLogger("core").info("unheard")
    stop_logging(handler)
    assert (tmp_path / "logs").read_text() == "in the way"
