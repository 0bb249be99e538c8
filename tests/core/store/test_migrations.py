"""The ladder from every stored library to the newest version, also where it is cut short."""

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from core.domain.decision import DecisionValue, HomeSet, PlaceForgotten
from core.domain.place import GeoPoint
from core.domain.tag import TagKind
from core.errors import LibraryNewer, LibraryUnwritable
from core.paths import LibraryPaths
from core.store.backup import faults
from core.store.library import open_library
from core.store.migrations import ladder
from core.store.migrations.ladder import NEWEST, before_climbing, version_of

STORED = Path(__file__).resolve().parents[2] / "data" / "libraries"
OLD = range(1, NEWEST)


@pytest.fixture
def paths(tmp_path: Path) -> LibraryPaths:
    return stored(1, tmp_path / "library")


def stored(version: int, folder: Path) -> LibraryPaths:
    """A library as that version of the program has left it."""
    paths = LibraryPaths(folder)
    folder.mkdir(parents=True)
    content = gzip.decompress((STORED / f"version-{version}.sqlite.gz").read_bytes())
    paths.database.write_bytes(content)
    return paths


def version_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return version_of(connection)


def schema_of(file: Path) -> dict[str, str]:
    """Every statement that made something, without its layout."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master")
        return {f"{row[0]} {row[1]}": " ".join(str(row[2]).split()) for row in rows}


def columns_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        return {name: connection.execute(f'PRAGMA table_info("{name}")').fetchall()
                for name in names}  # fmt: skip


def rows_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr)
            for (name,) in tables.fetchall()
        }


def test_a_library_of_every_version_is_stored() -> None:
    """See CONTRIBUTING.md: `python -m tests.data.libraries.make_library` stores one."""
    kept = sorted(path.name for path in STORED.glob("version-*.sqlite.gz"))
    assert kept == sorted(f"version-{version}.sqlite.gz" for version in range(1, NEWEST + 1))
    for version in range(1, NEWEST + 1):
        content = gzip.decompress((STORED / f"version-{version}.sqlite.gz").read_bytes())
        assert int.from_bytes(content[60:64], "big") == version


@pytest.mark.parametrize("version", OLD)
def test_a_climbed_library_has_the_schema_of_a_new_one(version: int, tmp_path: Path) -> None:
    old, new = stored(version, tmp_path / "old"), LibraryPaths(tmp_path / "new")
    for paths in (old, new):
        open_library(paths).close()
    assert schema_of(old.database) == schema_of(new.database)
    assert columns_of(old.database) == columns_of(new.database)


def test_the_stored_library_of_this_version_has_its_schema(tmp_path: Path) -> None:
    """A rung that was changed after its library was stored would climb elsewhere."""
    kept, new = stored(NEWEST, tmp_path / "kept"), LibraryPaths(tmp_path / "new")
    open_library(new).close()
    assert schema_of(kept.database) == schema_of(new.database)


@pytest.mark.parametrize("version", range(1, NEWEST + 1))
def test_every_stored_library_opens_and_is_whole(version: int, tmp_path: Path) -> None:
    paths = stored(version, tmp_path / "library")
    library = open_library(paths)
    assert library.database.check() == []
    assert library.photos.count() == 7
    assert library.judgements.count() == 2
    assert [i for i, _ in library.profiles.match(["red"], 9)]
    assert library.decisions.unreadable() == []
    library.close()
    kept = before_climbing(paths.backups, version)
    assert kept.exists() is (version < NEWEST)


def test_all_that_was_in_the_first_version_is_there(paths: LibraryPaths) -> None:
    before = rows_of(paths.database)
    library = open_library(paths)
    photos = library.photos.photos(library.photos.ids())
    named = {file.path.name: photo for photo in photos for file in photo.files}
    assert len(photos) == 7
    assert sorted(named) == ["canyon.jpg", "flag.jpg", "lake.jpg", "meadow.jpg", "night.jpg",
                             "rose copy.jpg", "rose.jpg", "sky.jpg"]  # fmt: skip
    assert named["rose.jpg"] is named["rose copy.jpg"]
    lake = named["lake.jpg"].facts
    assert lake.title == "The lake"
    assert lake.keywords == ("holiday", "lake")
    assert library.tags.photos(TagKind.KEYWORD, "holiday") == [named["lake.jpg"].id]
    assert lake.taken is not None and lake.taken.local == datetime(2021, 7, 3, 15)
    assert lake.point == GeoPoint(43.463, 11.88)
    assert lake.place is not None and lake.place.name == "Arezzo"
    (home,) = library.decisions.of(HomeSet)
    assert home.point == GeoPoint(43.463, 11.88)
    assert library.facts.get("home") == ""
    assert [problem.path.name for problem in library.problems.all()] in (["broken.jpg"], [])
    for model, count in library.vectors.counts().items():
        assert count == 7, model
    after = rows_of(paths.database)
    for table in ("vectors", "concepts", "judgements", "queries", "files", "roots"):
        assert after[table] == before[table], table
    assert after["profile_text_content"] == before["profile_text_content"]
    library.close()


def test_the_copy_made_before_is_the_old_library(paths: LibraryPaths) -> None:
    before, schema = rows_of(paths.database), schema_of(paths.database)
    open_library(paths).close()
    copy = before_climbing(paths.backups, 1)
    assert (version_in(copy), faults(copy)) == (1, "")
    assert (rows_of(copy), schema_of(copy)) == (before, schema)
    content = copy.read_bytes()
    open_library(paths).close()
    assert copy.read_bytes() == content
    assert sorted(paths.backups.iterdir()) == [copy]


def test_a_damaged_library_does_not_climb(paths: LibraryPaths) -> None:
    content = bytearray(paths.database.read_bytes())
    with closing(sqlite3.connect(paths.database)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'files'")
        page = root.fetchone()[0]
    content[(page - 1) * 4096 : page * 4096] = b"\xee" * 4096
    paths.database.write_bytes(content)
    with pytest.raises(Exception, match="damaged"):
        open_library(paths)
    assert version_in(paths.database) == 1
    assert list(paths.backups.iterdir()) == []


def test_a_newer_library_is_left_untouched(paths: LibraryPaths) -> None:
    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute(f"PRAGMA user_version = {NEWEST + 1}")
    content = paths.database.read_bytes()[100:]
    with pytest.raises(LibraryNewer):
        open_library(paths)
    assert paths.database.read_bytes()[100:] == content
    assert not paths.backups.exists()


def test_a_rung_that_fails_half_way_can_be_climbed_again(
    paths: LibraryPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows_of(paths.database)
    rung = ladder._RUNGS[1]
    with monkeypatch.context() as patch:
        patch.setattr(rung, "STATEMENTS", (*rung.STATEMENTS[:-1], "SELECT no_such_function()"))
        with pytest.raises(sqlite3.OperationalError):
            open_library(paths)
    assert version_in(paths.database) == 1
    assert rows_of(paths.database) == before
    library = open_library(paths)
    assert library.database.check() == []
    library.close()


@pytest.mark.skipif(os.name == "nt", reason="limits of files are of Unix")
@pytest.mark.parametrize("limit", [0, 30_000, 80_000, 120_000])
def test_a_full_disk_leaves_the_old_version(paths: LibraryPaths, limit: int) -> None:
    """No file of the process may grow beyond a limit: the copy, or the log of the climb, stops."""
    before = rows_of(paths.database)
    words = (
        "import resource, sys; from pathlib import Path\n"
        "from core.errors import LibraryUnwritable\n"
        "from core.paths import LibraryPaths\n"
        "from core.store.library import open_library\n"
        "limit = int(sys.argv[2])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "try: open_library(LibraryPaths(Path(sys.argv[1])))\n"
        "except LibraryUnwritable as error: sys.exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", words, str(paths.root), str(limit)], check=False)
    assert done.returncode == 9
    assert version_in(paths.database) == 1
    assert rows_of(paths.database) == before
    assert not list(paths.backups.glob("*.partial*"))
    library = open_library(paths)
    assert library.database.check() == []
    assert library.photos.count() == 7
    library.close()


def test_no_room_for_the_copy_leaves_the_old_version(
    paths: LibraryPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: _Full())
    with pytest.raises(LibraryUnwritable, match="MB are free"):
        open_library(paths)
    assert version_in(paths.database) == 1


class _Full:
    free = 1000


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not on Windows")
def test_a_killed_climb_goes_on_the_next_time(tmp_path: Path) -> None:
    """Killed at several moments between the first byte of the copy and the last of the climb."""
    words = (
        "import sys; from pathlib import Path; from core.paths import LibraryPaths\n"
        "from core.store.library import open_library\n"
        "print('go', flush=True)\n"
        "open_library(LibraryPaths(Path(sys.argv[1]))).close()\n"
    )
    versions = set()
    for i in range(10):
        paths = stored(1, tmp_path / f"library {i}")
        process = subprocess.Popen(
            [sys.executable, "-c", words, str(paths.root)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(i * 0.006)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        versions.add(version_in(paths.database))
        library = open_library(paths)
        assert library.database.check() == []
        assert library.photos.count() == 7
        library.close()
        assert not list(paths.backups.glob("*.partial*"))
    assert versions <= {1, NEWEST}


def test_processes_that_open_an_old_library_at_once_climb_it_once(paths: LibraryPaths) -> None:
    words = (
        "import sys; from pathlib import Path; from core.paths import LibraryPaths\n"
        "from core.store.library import open_library\n"
        "sys.stdin.readline()\n"
        "library = open_library(LibraryPaths(Path(sys.argv[1])))\n"
        "assert library.photos.count() == 7; library.close()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", words, str(paths.root)], stdin=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait() for process in processes] == [0] * 4
    assert version_in(before_climbing(paths.backups, 1)) == 1
    library = open_library(paths)
    assert library.database.check() == []
    assert len(library.decisions.all()) == 1
    library.close()


def test_the_stored_library_of_this_version_holds_every_kind_of_decision(tmp_path: Path) -> None:
    library = open_library(stored(NEWEST, tmp_path / "library"))
    kinds = {type(one.value) for one in library.decisions.all()}
    assert kinds == set(get_args(DecisionValue)) - {PlaceForgotten}
    library.close()


def test_moments_of_decisions_are_in_the_past(paths: LibraryPaths) -> None:
    library = open_library(paths)
    assert library.decisions.all()[0].made_at <= datetime.now(UTC)
    library.close()
