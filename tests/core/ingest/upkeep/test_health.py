"""What `doctor` finds in libraries that were harmed in known ways, and what it mends."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.backends.fakes import fake_perception
from core.backends.index_cache import cache_fault, load_or_build, save_rows
from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId
from core.engine import Engine, SearchOptions
from core.errors import ModelMissing
from core.ingest.upkeep.care import forget_old_models, repair, restore
from core.ingest.upkeep.health import examine
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import Settings
from core.store.library import Library
from tests.core.pictures import FAKES, SCENES, draw

MODEL = fake_perception().encoder.name
PROXIES = fake_perception().proxy_name


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven scenes in `photos`, taken in by `library`, which nobody has open."""
    folder = tmp_path_factory.mktemp("indexed")
    for scene in SCENES:
        draw(folder / "photos", scene)
    engine = Engine.open(folder / "library", FAKES)
    engine.index([folder / "photos"], Progress())
    engine.library.decisions.add(TitleSet((PhotoId(1),), "kept"))
    engine.close()
    return folder


@pytest.fixture
def photos(indexed: Path) -> Path:
    """Where the photos lie; tests leave them as they are."""
    return indexed / "photos"


@pytest.fixture
def engine(indexed: Path, tmp_path: Path) -> Iterator[Engine]:
    shutil.copytree(indexed / "library", tmp_path / "library")
    engine = Engine.open(tmp_path / "library", FAKES)
    yield engine
    engine.close()


@pytest.fixture
def own_photos(indexed: Path, tmp_path: Path) -> Iterator[Path]:
    """Photos that a test may change, at the place that the library knows."""
    kept = tmp_path / "kept"
    shutil.copytree(indexed / "photos", kept)
    yield indexed / "photos"
    shutil.rmtree(indexed / "photos")
    shutil.copytree(kept, indexed / "photos")


def findings(engine: Engine, *, quick: bool = False) -> dict[str, str]:
    """The checks that find something, and what they say."""
    checks = examine(
        engine.library, engine.settings, engine.loaded.perception, Progress(), quick=quick
    )
    return {check.name: check.detail for check in checks if not check.ok}


def details(engine: Engine) -> dict[str, str]:
    return {check.name: check.detail for check in engine.examine(Progress())}


def mended(engine: Engine) -> tuple[Engine, str]:
    """The library opened again after a repair, and what was done."""
    engine.close()
    done = repair(engine.library.paths, Progress())
    assert done.lost == ()
    again = Engine.open(engine.library.paths.root, FAKES)
    assert again.library.decisions.all()[0].value == TitleSet((PhotoId(1),), "kept")
    return again, "; ".join(done.done)


def sql(library: Library, statement: str, *values: object) -> None:
    """Harm a library behind the back of everything."""
    with closing(sqlite3.connect(library.paths.database)) as connection:
        connection.execute(statement, values)
        connection.commit()


def test_a_healthy_library_has_no_findings(engine: Engine) -> None:
    assert findings(engine) == findings(engine, quick=True) == {}
    engine.search(ComposedQuery("red"), SearchOptions("hybrid", 3), Progress())
    assert findings(engine) == {}


def test_an_empty_library_has_no_findings(tmp_path: Path) -> None:
    engine = Engine.open(tmp_path / "library", FAKES)
    assert findings(engine) == {}
    engine.close()


def test_a_repair_of_a_healthy_library_changes_nothing(engine: Engine) -> None:
    before = [(p.id, p.facts) for p in engine.photos(engine.library.photos.ids())]
    again, done = mended(engine)
    assert done.startswith("copied the library") and ";" not in done
    assert [(p.id, p.facts) for p in again.photos(again.library.photos.ids())] == before
    assert findings(again) == {}
    again.close()


def test_an_index_of_words_that_does_not_fit_is_made_again(engine: Engine) -> None:
    sql(engine.library, "UPDATE profile_text_content SET c0 = 'elsewhere' WHERE id = 1")
    assert "doctor --repair" in findings(engine)["words"]
    again, done = mended(engine)
    assert "index of words" in done
    assert findings(again) == {}
    assert [i for i, _ in again.library.profiles.match(["elsewhere"], 9)] == [1]
    again.close()


def test_photos_without_words_get_them_back(engine: Engine, photos: Path) -> None:
    with engine.library.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM profile_text WHERE rowid IN (2, 3)")
    before = engine.profile(PhotoId(1))
    assert "2 photos have no words" in findings(engine)["words"]
    again, done = mended(engine)
    assert "2 photos get their words again" in done
    assert again.index([photos], Progress()).unchanged == 7
    assert findings(again) == {}
    assert again.profile(PhotoId(1)) == before
    assert again.profile(PhotoId(2)) is not None
    again.close()


def test_an_index_of_sqlite_that_lacks_rows_is_made_again(engine: Engine) -> None:
    engine.close()
    named = "FROM sqlite_master WHERE name = 'photos_by_time'"
    row = without_index(engine.library.paths.database, f"SELECT * {named}", f"DELETE {named}")
    with closing(sqlite3.connect(engine.library.paths.database)) as connection:
        connection.execute("UPDATE photos SET order_key = order_key + 5 WHERE id = 2")
        connection.commit()
    again = f"('index', 'photos_by_time', 'photos', {row[3]}, '{row[4]}')"
    insert = f"INSERT INTO sqlite_master VALUES {again}"
    without_index(engine.library.paths.database, "SELECT 1", insert)
    engine = Engine.open(engine.library.paths.root, FAKES)
    assert "doctor --repair" in findings(engine)["library file"]
    mended_engine, done = mended(engine)
    assert "indexes of the library file" in done
    assert "library file" not in findings(mended_engine)
    mended_engine.close()


def without_index(file: Path, question: str, statement: str) -> tuple[Any, ...]:
    """Change the catalogue itself; returns what was asked before."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        row: tuple[Any, ...] = connection.execute(question).fetchone()
        connection.execute(statement)
        connection.commit()
    return row


def test_rows_that_refer_to_nothing_are_removed(engine: Engine) -> None:
    sql(engine.library, "INSERT INTO files VALUES (x'2f78', 999, 1, 1)")
    sql(engine.library, "INSERT INTO concepts VALUES (999, 'nothing', 0.5)")
    assert "refers to nothing" in findings(engine)["library file"]
    again, done = mended(engine)
    assert "removed 2 rows" in done
    assert findings(again) == {}
    again.close()


def test_damage_in_the_file_is_salvaged(engine: Engine, photos: Path) -> None:
    paths = engine.library.paths
    engine.close()
    with closing(sqlite3.connect(paths.database)) as connection:
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    with paths.database.open("r+b") as file:
        file.seek((roots["concepts"] - 1) * 4096)
        file.write(b"\0" * 4096)
    engine = Engine.open(paths.root, FAKES)
    assert "doctor --repair" in findings(engine)["library file"]
    assert "words" not in details(engine)  # nothing is said of what a damaged file holds
    engine.close()
    done = repair(paths, Progress())
    assert "could not be read" in done.lost[0] and "concepts" in done.lost[0]
    assert any("7 photos" in line for line in done.done)
    again = Engine.open(paths.root, FAKES)
    assert again.library.decisions.all()[0].value == TitleSet((PhotoId(1),), "kept")
    again.index([photos], Progress())
    assert findings(again) == {}
    again.close()


def test_a_library_file_that_is_gone_comes_back_from_the_backup(engine: Engine) -> None:
    paths = engine.library.paths
    engine.close()
    paths.database.unlink()
    done = repair(paths, Progress())
    assert "restored library-" in done.done[0]
    again = Engine.open(paths.root, FAKES)
    assert again.library.photos.count() == 7
    again.close()


def test_after_a_restored_backup_a_run_makes_what_it_lacks(engine: Engine, photos: Path) -> None:
    paths = engine.library.paths
    engine.close()
    paths.database.write_bytes(b"nothing of it is left" * 1000)
    restore(paths, None, Progress())
    again = Engine.open(paths.root, FAKES)
    assert again.library.vectors.counts() == {}
    assert findings(again)["vectors"].startswith("7 photos lack a vector")
    report = again.index([photos], Progress())
    assert (report.added, report.unchanged) == (0, 7)
    assert again.library.vectors.counts() == {MODEL: 7, PROXIES: 7}
    assert findings(again) == {}
    again.close()


def test_decisions_that_cannot_be_read_are_told_and_stop_nothing(engine: Engine) -> None:
    sql(engine.library, "INSERT INTO decisions (kind, value, made_at) VALUES ('TitleSet', '{', "
                        "'2024-01-01T00:00:00+00:00')")  # fmt: skip
    sql(engine.library, "INSERT INTO decisions (kind, value, made_at) VALUES ('Unheard', '{}', "
                        "'2024-01-01T00:00:00+00:00')")  # fmt: skip
    assert findings(engine)["decisions"].startswith("2 decisions cannot be read")
    assert [one.value for one in engine.library.decisions.all()] == [
        TitleSet((PhotoId(1),), "kept")
    ]
    again, _ = mended(engine)
    assert findings(again)["decisions"].startswith("2 decisions")  # they are never removed
    again.close()


def test_photos_that_cannot_be_read_are_told(engine: Engine) -> None:
    sql(engine.library, "UPDATE photos SET kind = 'unheard of' WHERE id = 3")
    assert findings(engine)["photos"].startswith("1 photos cannot be read")


def test_missing_thumbnails_and_vectors_are_made_by_the_next_run(
    engine: Engine, photos: Path
) -> None:
    photo = engine.photos([PhotoId(2)])[0]
    engine.library.paths.thumbnail(photo.facts.content_hash).unlink()
    sql(engine.library, "DELETE FROM vectors WHERE photo_id = 3 AND model = ?", MODEL)
    found = findings(engine)
    assert found["thumbnails"].startswith("1 of 7 are missing")
    assert found["vectors"].startswith("1 photos lack a vector")
    again, _ = mended(engine)
    again.index([photos], Progress())
    assert findings(again) == {}
    again.close()


def test_what_killed_processes_left_is_found_and_removed(engine: Engine, photos: Path) -> None:
    paths = engine.library.paths
    orphan = paths.thumbnail("ab" + "0" * 62)
    parts = paths.thumbnails / "parts" / "999999999.jpg"
    partial = paths.backups / "library-1.sqlite.999999999.partial"
    cache = paths.vectors / "x.npz123.part"
    for path in (orphan, parts, partial, cache):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"left over")
    os.utime(cache, (1e9, 1e9))
    living = paths.thumbnails / "parts" / f"{os.getpid()}.jpg"
    living.write_bytes(b"being written")
    empty = paths.thumbnail(engine.photos([PhotoId(4)])[0].facts.content_hash)
    empty.write_bytes(b"")
    found = findings(engine)["leftovers"]
    assert "3 unfinished files, 1 thumbnails of no photo" in found
    assert "1 empty thumbnails" in found
    again, done = mended(engine)
    assert "removed 2 unfinished files" in done  # the copy before had removed one
    assert "removed 2 thumbnails" in done
    assert not any(path.exists() for path in (orphan, parts, partial, cache, empty))
    assert living.exists()
    again.index([photos], Progress())
    assert empty.stat().st_size > 0
    assert findings(again) == {}
    again.close()


def test_thumbnails_of_no_photo_do_no_harm(engine: Engine) -> None:
    orphan = engine.library.paths.thumbnail("ab" + "0" * 62)
    orphan.parent.mkdir(parents=True, exist_ok=True)
    orphan.write_bytes(b"x" * 200_000)
    assert findings(engine) == {}
    assert "1 thumbnails of no photo (0.2 MB), which do no harm" in details(engine)["leftovers"]
    again, done = mended(engine)
    assert "removed 1 thumbnails" in done and not orphan.exists()
    again.close()


def test_thumbnails_of_photos_that_are_out_of_reach_stay(engine: Engine, own_photos: Path) -> None:
    for name in ("rose", "flag"):
        (own_photos / f"{name}.jpg").unlink()
    hashes = [p.facts.content_hash for p in engine.photos(engine.library.photos.ids())]
    engine.index([own_photos], Progress())
    assert engine.library.photos.count() == 5
    again, done = mended(engine)
    assert "thumbnails" not in done
    assert all(again.library.paths.thumbnail(one).exists() for one in hashes)
    again.close()


Harm = Callable[[Path], None]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300])


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def _garbage(path: Path) -> None:
    path.write_bytes(b"no archive" * 50)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other_dims(path: Path) -> None:
    with np.load(path) as arrays:
        named = dict(arrays)
    named["vectors"] = np.zeros((len(named["ids"]), 3), np.float16)
    with path.open("wb") as file:
        np.savez(file, **named)


def _fewer(path: Path) -> None:
    with np.load(path) as arrays:
        named = dict(arrays)
    named["ids"] = named["ids"][:-1]
    with path.open("wb") as file:
        np.savez(file, **named)


@pytest.mark.parametrize("harm", [_cut, _flip, _garbage, _empty, _other_dims, _fewer])
def test_a_harmed_vector_cache_is_found_and_replaced(engine: Engine, harm: Harm) -> None:
    def answers() -> list[tuple[int, float]]:
        again = Engine.open(engine.library.paths.root, FAKES)
        answer = again.search(ComposedQuery("red sea"), SearchOptions("hybrid", 7), Progress())
        found = [(int(r.photo_id), r.score) for r in answer.results]
        again.close()
        return found

    right = answers()
    cache = engine.library.paths.vector_cache(MODEL)
    whole = cache.read_bytes()
    harm(cache)
    assert "the next search makes it again" in findings(engine)["vector caches"]
    assert answers() == right
    assert cache_is_right(engine)
    harm(cache)
    again, done = mended(engine)
    assert "removed 1 vector caches" in done
    assert not cache.exists()
    assert answers() == right
    assert len(cache.read_bytes()) == len(whole)
    assert findings(again) == {}
    again.close()


def cache_is_right(engine: Engine) -> bool:
    path = engine.library.paths.vector_cache(MODEL)
    dim = fake_perception().encoder.dim
    return path.exists() and not cache_fault(path, dim, engine.library.vectors.fingerprint(MODEL))


def test_a_cache_of_an_older_state_is_not_used(engine: Engine, own_photos: Path) -> None:
    engine.search(ComposedQuery("red"), SearchOptions("hybrid", 9), Progress())
    cache = engine.library.paths.vector_cache(MODEL)
    old = cache.read_bytes()
    draw(own_photos, SCENES[0].__class__("another", "yellow"))
    engine.index([own_photos], Progress())
    engine.search(ComposedQuery("red"), SearchOptions("hybrid", 9), Progress())
    cache.write_bytes(old)  # as after a crash, or when only one of the files was copied
    assert "vector caches" not in findings(engine)  # stale ones are ordinary
    again = Engine.open(engine.library.paths.root, FAKES)
    answer = again.search(ComposedQuery("yellow"), SearchOptions("hybrid", 9), Progress())
    assert len(answer.results) == 8
    assert cache_is_right(again)
    again.close()


def test_a_cache_is_replaced_in_one_step(tmp_path: Path) -> None:
    """Whoever reads it meanwhile sees the old or the new one; a failed write leaves the old."""
    path = tmp_path / "m.npz"
    vectors = np.eye(4, dtype=np.float16)[:3]
    save_rows((np.arange(3), vectors), path, "old")
    before = path.read_bytes()

    class Broken:
        def __array__(self, *args: object, **more: object) -> None:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="disk is gone"):
        save_rows((np.arange(3), Broken()), path, "new")  # type: ignore[arg-type]
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    found = load_or_build(path, 4, "old", lambda: pytest.fail("it is there"))
    assert len(found) == 3


def test_vectors_of_other_models_are_listed_and_dropped_on_request(engine: Engine) -> None:
    vectors = np.zeros((2, 8), np.float32)
    engine.library.vectors.save("an older model", [PhotoId(1), PhotoId(2)], vectors)
    assert "an older model (0.0 MB)" in details(engine)["other models"]
    again, _ = mended(engine)
    assert again.library.vectors.counts()["an older model"] == 2
    done = forget_old_models(again.library, again.loaded.perception(Progress()))
    assert done.done == ("forgot the vectors of an older model",)
    assert again.library.vectors.counts() == {MODEL: 7, PROXIES: 7}
    assert details(again)["other models"] == "none"
    again.close()


def test_models_that_are_missing_are_told(engine: Engine) -> None:
    def missing(progress: Progress):
        raise ModelMissing("There is no model.", "Install one.")

    checks = examine(engine.library, Settings(), missing, Progress())
    assert checks[-1].name == "models" and checks[-1].detail == "There is no model. Install one."


def test_little_room_on_the_disk_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 999_000_000

    monkeypatch.setattr("shutil.disk_usage", lambda folder: Usage())
    assert findings(engine)["disk"].startswith("1.0 GB free")


def test_backups_that_are_missing_or_old_are_told(engine: Engine) -> None:
    (backup,) = engine.library.paths.backups.iterdir()
    backup.rename(backup.with_name("library-20200101-000000.sqlite"))
    assert "of 2020-01-01 00:00 UTC" in findings(engine)["backups"]
    (engine.library.paths.backups / "library-20200101-000000.sqlite").unlink()
    assert "doctor --backup" in findings(engine)["backups"]


def test_judgements_outlive_a_repair(engine: Engine) -> None:
    engine.library.judgements.remember(QueryId("q"), ComposedQuery("red"))
    engine.library.judgements.judge(QueryId("q"), [PhotoId(1)], [PhotoId(2)])
    again, _ = mended(engine)
    assert again.library.judgements.count() == 2
    again.close()


def test_paths_name_what_is_set_aside(tmp_path: Path) -> None:
    assert LibraryPaths(tmp_path).set_aside.parent == tmp_path
