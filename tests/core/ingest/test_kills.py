"""SIGKILL at random moments of real command lines with real models: nothing committed is lost.

A hundred kills, over indexing, rescans of folders that change, migrations and backups. The seed
is printed; PHOTOAPP_SEED sets another.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import skimage
from PIL import Image

from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId
from core.paths import LibraryPaths
from core.store.backup import faults
from core.store.library import Library, open_library
from core.store.migrations.ladder import NEWEST, before_climbing
from tests.core.pictures import Scene, draw
from tests.core.store.test_migrations import stored, version_in

INDEX_KILLS, RESCAN_KILLS, CLIMB_KILLS, BACKUP_KILLS = 35, 30, 15, 20
MANY = 20_000
"""Photos of the library that climbs and is backed up: enough to be caught half way."""

SEED = int(os.environ.get("PHOTOAPP_SEED", "7"))
COLOURS = ("red", "blue", "green", "yellow", "purple")
Snapshot = dict[str, tuple[str, bytes, str]]

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not on Windows"),
]


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    say(f"seed {SEED} of {request.node.name}")
    return random.Random(f"{SEED} {request.node.name}")


def say(text: str) -> None:
    """Shown where a test fails, and with `-s`."""
    sys.stdout.write(f"{text}\n")


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "app", *map(str, words), "--quiet"]


def run(*words: object) -> None:
    done = subprocess.run(command(*words), check=False, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)


def kill(words: list[str], begun: Callable[[], bool], after: float) -> None:
    """Start a command and kill it some seconds after it has begun its work."""
    process = subprocess.Popen(
        words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not begun() and process.poll() is None:
        time.sleep(0.005)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()


def demand_clean(library: Path) -> None:
    """`doctor` finds nothing; its full check reads every row and every thumbnail."""
    words = command("doctor", "--json", "--library", library)
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    found = [item for item in json.loads(done.stdout)["items"] if not item["ok"]]
    assert not found, "; ".join(f"{item['check']}: {item['detail']}" for item in found)
    assert done.returncode == 0


def demand_no_leftovers(paths: LibraryPaths) -> None:
    """What killed runs left lying, thumbnails of photos that were gone before they were kept,
    does no harm and is swept away by `doctor --repair`."""
    run("doctor", "--repair", "--library", paths.root)
    with closing(sqlite3.connect(paths.database)) as connection:
        hashes = [row[0] for row in connection.execute("SELECT content_hash FROM photos")]
    lying = {path for path in paths.thumbnails.rglob("*") if path.is_file()}
    assert lying <= {paths.thumbnail(content_hash) for content_hash in hashes}


def snapshot(library: Library) -> Snapshot:
    """What a library says of each file: content, vector and profile; never ids."""
    found: Snapshot = {}
    ids = library.photos.ids()
    profiles = library.profiles.profiles(ids)
    model = next(m for m in library.vectors.counts() if "+" not in m)
    rows = dict(zip(*(part.tolist() for part in library.vectors.load(model)), strict=True))
    for photo in library.photos.photos(ids):
        for file in photo.files:
            text = profiles[photo.id].text
            found[str(file.path)] = (photo.facts.content_hash, str(rows[photo.id]).encode(), text)
        with Image.open(library.paths.thumbnail(photo.facts.content_hash)) as thumbnail:
            thumbnail.load()
    sessions = [tuple(str(p.path) for p in library.photos.photos(s.photo_ids))
                for s in library.sessions.sessions()]  # fmt: skip
    found["sessions"] = (repr(sessions), b"", "")
    return found


class Folder:
    """A folder of photos that changes: files come, go, move and are written again."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self.path, self._chance, self._next = path, chance, 0
        for _ in range(150):
            self.add()
        data = Path(skimage.__file__).parent / "data"
        for name in ("chelsea.png", "coffee.png", "astronaut.png", "rocket.jpg"):
            Image.open(data / name).convert("RGB").save(path / f"{name}.jpg")

    def add(self) -> None:
        number, self._next = self._next, self._next + 1
        taken = datetime(2021, 7, 3, 9) + timedelta(hours=number)
        scene = Scene(f"{number:04}", COLOURS[number % 5], "white", taken)
        draw(self.path / f"{number % 3}", scene, (320, 240))

    def change(self) -> None:
        """Some of everything that happens to photos."""
        files = sorted(self.path.rglob("*.jpg"))
        gone, moved, copied, again = self._chance.sample(files, 4)
        gone.unlink()
        moved.rename(moved.with_name(f"moved {self._next} {moved.name[-20:]}"))
        shutil.copy(copied, copied.with_name(f"copy {self._next} {copied.name[-20:]}"))
        with Image.open(again) as picture:
            picture.rotate(90).save(again, exif=picture.getexif())
        for _ in range(self._chance.randrange(1, 12)):
            self.add()


class Witness:
    """Remembers what a library has committed, and adds the user's own words after each kill."""

    def __init__(self, folder: Path) -> None:
        self._paths = LibraryPaths(folder)
        self._hashes: set[str] = set()
        self._titles: list[TitleSet] = []
        self._judged: set[tuple[str, int]] = set()

    def look(self) -> None:
        """Open after a kill: whole, and all that was there is there."""
        if not self._paths.database.exists():
            return
        library = open_library(self._paths)
        assert library.database.check() == []
        self.demand_all(library)
        self._hashes |= set(library.photos.ids_by_hash(self._all_hashes(library)))
        ids = library.photos.ids()
        if ids:
            self._say(library, ids[len(self._titles) % len(ids)])
        library.close()

    def demand_all(self, library: Library) -> None:
        """Photos, decisions and judgements that were committed once."""
        assert self._hashes <= set(self._all_hashes(library))
        assert [one.value for one in library.decisions.all()] == self._titles
        with library.database.read() as connection:
            rows = connection.exec_driver_sql("SELECT query_id, photo_id FROM judgements").all()
        assert {(row[0], row[1]) for row in rows} == self._judged
        assert len(library.photos.ids()) == library.photos.count()

    def _all_hashes(self, library: Library) -> list[str]:
        with library.database.read() as connection:
            rows = connection.exec_driver_sql("SELECT content_hash FROM photos").scalars().all()
        assert len(set(rows)) == len(rows)
        return [str(row) for row in rows]

    def _say(self, library: Library, photo_id: PhotoId) -> None:
        value = TitleSet((photo_id,), f"title {len(self._titles)}")
        library.decisions.add(value)
        self._titles.append(value)
        query = QueryId(f"q{len(self._titles)}")
        library.judgements.remember(query, ComposedQuery("red"))
        library.judgements.judge(query, [photo_id], [])
        self._judged.add((query, photo_id))


@pytest.mark.timeout(3600)
def test_killed_runs_end_as_if_never_killed(tmp_path: Path, chance: random.Random) -> None:
    folder = Folder(tmp_path / "photos", chance)
    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    started = time.monotonic()
    run("index", folder.path, "--library", undisturbed)
    whole = time.monotonic() - started
    words = command("index", folder.path, "--library", killed)
    log, witness = killed / "library.sqlite-wal", Witness(killed)

    for i in range(INDEX_KILLS + RESCAN_KILLS):
        if i >= INDEX_KILLS:
            if i == INDEX_KILLS:
                run("index", folder.path, "--library", killed)
            folder.change()
        if i in (3, 9):  # begin with nothing again: the first moments of a library
            shutil.rmtree(killed, ignore_errors=True)
            witness = Witness(killed)
        kill(words, log.exists, chance.uniform(0.0, 0.8) * whole)
        witness.look()

    run("index", folder.path, "--library", killed)
    run("index", folder.path, "--library", tmp_path / "afterwards")
    library, other = (open_library(LibraryPaths(p)) for p in (killed, tmp_path / "afterwards"))
    witness.demand_all(library)
    assert snapshot(library) == snapshot(other)
    library.close()
    other.close()
    demand_clean(killed)
    demand_no_leftovers(LibraryPaths(killed))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the first version with thousands of photos, copies of the stored ones."""
    paths = stored(1, tmp_path_factory.mktemp("large") / "library")
    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute("CREATE TEMP TABLE n (n INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO n VALUES (?)", ((n,) for n in range(1, MANY // 7 + 1)))
        columns = [row[1] for row in connection.execute("PRAGMA table_info(photos)")][2:]
        listed = ", ".join(columns)
        connection.execute(f"INSERT INTO photos SELECT id + n * 7, content_hash || n, {listed} "
                           "FROM photos, n")  # fmt: skip
        connection.execute("INSERT INTO files SELECT CAST(path || n AS BLOB), photo_id + n * 7, "
                           "size, modified_ns FROM files, n")  # fmt: skip
        for table, rest in (("vectors", "vector"), ("concepts", "probability")):
            key = "model, photo_id + n * 7" if table == "vectors" else "photo_id + n * 7, phrase"
            connection.execute(f"INSERT INTO {table} SELECT {key}, {rest} FROM {table}, n")
        connection.execute("CREATE TEMP TABLE said AS SELECT id, c0 FROM profile_text_content")
        connection.execute("INSERT INTO profile_text (rowid, text) SELECT id + n * 7, c0 "
                           "FROM said, n")  # fmt: skip
        connection.commit()
    return paths.root


def counts(library: Library) -> dict[str, int]:
    with library.database.read() as connection:
        return {
            table: int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())
            for table in ("photos", "files", "vectors", "concepts", "judgements", "profile_text",
                          "tags", "decisions")
        }  # fmt: skip


@pytest.mark.timeout(3600)
def test_killed_migrations_are_finished_by_the_next_start(
    large: Path, tmp_path: Path, chance: random.Random
) -> None:
    shutil.copytree(large, tmp_path / "whole")
    started = time.monotonic()
    library = open_library(LibraryPaths(tmp_path / "whole"))
    seconds, expected = time.monotonic() - started, counts(library)
    library.close()
    seen = set()
    for i in range(CLIMB_KILLS):
        paths = LibraryPaths(tmp_path / f"library {i}")
        shutil.copytree(large, paths.root)
        kill(
            command("stats", "--library", paths.root),
            lambda paths=paths: bool(list(paths.root.glob("library.sqlite-*"))),
            chance.uniform(0.0, 1.1) * seconds,
        )
        seen.add(version_in(paths.database))
        library = open_library(paths)
        assert library.database.check() == []
        assert counts(library) == expected
        library.close()
        copy = before_climbing(paths.backups, 1)
        assert (faults(copy), version_in(copy)) == ("", 1)
        assert not list(paths.backups.glob("*.partial*"))
        shutil.rmtree(paths.root)
    say(f"versions after the kills: {sorted(seen)}")
    assert seen == {1, NEWEST}


@pytest.mark.timeout(3600)
def test_killed_backups_leave_the_older_ones(
    large: Path, tmp_path: Path, chance: random.Random
) -> None:
    paths = LibraryPaths(tmp_path / "library")
    shutil.copytree(large, paths.root)
    library = open_library(paths)
    expected = counts(library)
    library.close()
    words = command("doctor", "--backup", "--quick", "--library", paths.root)
    partial = 0
    for _ in range(BACKUP_KILLS):
        before = set(paths.backups.glob("*.sqlite"))
        kill(words, lambda: bool(list(paths.backups.glob("*.partial"))), chance.uniform(0, 0.7))
        partial += bool(list(paths.backups.glob("*.partial")))
        kept = set(paths.backups.glob("*.sqlite"))
        assert all(faults(copy) == "" for copy in kept)
        assert len(before - kept) <= 1  # one that a newer one has replaced
        library = open_library(paths)
        assert library.database.check(quick=True) == []
        library.close()
    say(f"{partial} of {BACKUP_KILLS} backups were caught half way")
    assert partial
    subprocess.run(words, check=False)
    assert not list(paths.backups.glob("*.partial*"))
    library = open_library(paths)
    assert counts(library) == expected
    assert library.database.check() == []
    library.close()
