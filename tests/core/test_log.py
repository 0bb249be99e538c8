"""What the log tells, and that it never tells names of files, places or people."""

import logging
import re
from datetime import datetime
from pathlib import Path

import pytest

from app.startup import opened_engine
from core.domain.decision import HomeSet, PlaceNamed, TitleSet
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.query import ComposedQuery
from core.engine import Engine, SearchOptions
from core.errors import EmptyQuery, FolderMissing, PhotoAppError
from core.logs import log_to_folder, stop_logging
from core.progress import Progress
from tests.core.pictures import AREZZO, FAKES, Scene, draw

ODD = "Zürich Grandma's café %s {0}"
SECRETS = ("Zürich", "Grandma", "café", "Arezzo", "Tuscany", "secret", "43.46", "11.88", "red sea")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for i, name in enumerate((ODD, "secret", "secret twin")):
        draw(tmp_path / ODD, Scene(name, ("red", "blue", "green")[i], "", datetime(2021, 7, 3),
                                   AREZZO))  # fmt: skip
    (tmp_path / ODD / "secret broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    (tmp_path / ODD / "secret.txt").write_text("a note")
    (tmp_path / ODD / "secret link.jpg").symlink_to(tmp_path / "nowhere secret")
    return tmp_path


def use(engine: Engine, folder: Path) -> None:
    """Everything that a person does, errors too."""
    engine.index([folder / ODD], Progress())
    answer = engine.search(ComposedQuery("red sea"), SearchOptions(), Progress())
    photo = engine.photos([answer.results[0].photo_id])[0]
    engine.judge(answer.query_id, [photo.path], [])
    engine.decide(TitleSet((PhotoId(1),), "secret title"), Progress())
    engine.decide(PlaceNamed("Grandma's secret", GeoPoint(*AREZZO), 1.0), Progress())
    engine.decide(HomeSet(GeoPoint(*AREZZO)), Progress())
    engine.undo(Progress())
    (folder / ODD / "secret twin.jpg").rename(folder / ODD / "secret moved.jpg")
    engine.index([folder / ODD], Progress())
    engine.examine(Progress())
    with pytest.raises(FolderMissing):
        engine.index([folder / "secret folder"], Progress())


def test_no_name_or_place_is_told_above_debug(folder: Path) -> None:
    with opened_engine(folder / "library", FAKES) as engine:
        use(engine, folder)
    with (
        pytest.raises(EmptyQuery),
        opened_engine(folder / "library", FAKES) as engine,
    ):
        engine.search(ComposedQuery("  "), SearchOptions(), Progress())
    told = (folder / "library" / "logs" / "photoapp.log").read_text(encoding="utf-8")
    for secret in (*SECRETS, str(folder)):
        assert secret not in told, told


def test_it_tells_versions_counts_durations_and_kinds(folder: Path) -> None:
    with opened_engine(folder / "library", FAKES) as engine:
        engine.index([folder / ODD], Progress())
    with pytest.raises(PhotoAppError), opened_engine(folder / "library", FAKES) as engine:
        engine.index([folder / "nowhere"], Progress())
    told = (folder / "library" / "logs" / "photoapp.log").read_text(encoding="utf-8")
    for pattern in (
        r"INFO core\.\S+: index run: 3 added, 0 changed, 0 removed, 0 unchanged, 3 embedded",
        r"'damaged': 1",
        r"'broken_link': 1",
        r"seconds \{'scan': \d",
        r"models loaded in \d+\.\d\d s",
        r"backup of \d+ bytes made in \d+\.\d\d s",
        r"library of version \d+ opened: writable, journal wal, SQLite 3\.\d+",
        r"photoapp \S+, Python 3\.\d+\.\d+, \w+",
        r"ERROR app\.startup: ended by FolderMissing",
    ):
        assert re.search(pattern, told), (pattern, told)


def test_unexpected_errors_are_told_by_kind_and_place_in_the_code(tmp_path: Path) -> None:
    handler = log_to_folder(tmp_path / "logs")
    try:
        Path("/nowhere/secret photo.jpg").read_bytes()
    except OSError:
        try:
            raise ValueError("secret photo.jpg is odd") from OSError("secret cause")
        except ValueError:
            logging.getLogger("core.test").exception("unexpected error")
    stop_logging(handler)
    told = (tmp_path / "logs" / "photoapp.log").read_text()
    assert "secret" not in told
    assert "ValueError" in told and "OSError" in told
    assert re.search(r"test_log\.py:\d+ test_unexpected_errors", told)


def test_at_debug_errors_are_told_in_full(tmp_path: Path) -> None:
    handler = log_to_folder(tmp_path / "logs", logging.DEBUG)
    try:
        raise ValueError("photo.jpg is odd")
    except ValueError:
        logging.getLogger("core.test").exception("unexpected error")
    stop_logging(handler)
    assert "photo.jpg is odd" in (tmp_path / "logs" / "photoapp.log").read_text()


def test_the_log_is_bounded(tmp_path: Path) -> None:
    handler = log_to_folder(tmp_path / "logs")
    for _ in range(600):
        logging.getLogger("core.test").info("x" * 10_000)
    stop_logging(handler)
    files = list((tmp_path / "logs").iterdir())
    assert len(files) == 4
    assert sum(path.stat().st_size for path in files) < 4_100_000
