"""Counts of a library; the bytes of many thumbnails are estimated, and well."""

from pathlib import Path

import pytest

from core.engine import Engine
from core.ingest.upkeep import statistics
from core.progress import Progress
from tests.core.pictures import FAKES, SCENES, draw


def test_bytes_are_those_of_every_file(tmp_path: Path) -> None:
    for scene in SCENES:
        draw(tmp_path / "photos", scene)
    engine = Engine.open(tmp_path / "library", FAKES)
    engine.index([tmp_path / "photos"], Progress())
    stats = engine.stats()
    files = [path for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert stats.bytes_library == sum(path.stat().st_size for path in files)
    assert stats.bytes_photos == sum(p.stat().st_size for p in (tmp_path / "photos").iterdir())
    assert (stats.photos, stats.files) == (7, 7)
    engine.close()


def test_many_thumbnails_are_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    for number in range(256):
        folder = tmp_path / "library" / "thumbnails" / f"{number:02x}"
        folder.mkdir(parents=True)
        for i in range(4):
            (folder / f"{i}.jpg").write_bytes(b"x" * (900 + (number * 7 + i) % 200))
    exact = engine.stats().bytes_library
    monkeypatch.setattr(statistics, "_FEW", -1)
    listed: list[Path] = []
    plain = statistics._bytes_below

    def counted(folder: Path, leave: Path | None = None) -> int:
        listed.append(folder)
        return plain(folder, leave)

    monkeypatch.setattr(statistics, "_bytes_below", counted)
    assert engine.stats().bytes_library == pytest.approx(exact, rel=0.05)
    assert len(listed) < 30
    engine.close()


def test_counts_read_no_vector(tmp_path: Path) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    with engine.library.database.read() as connection:
        plan = connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT model, count(*) FROM vectors GROUP BY model"
        ).all()
    assert "COVERING INDEX vectors_by_photo" in str(plan)
    engine.close()
