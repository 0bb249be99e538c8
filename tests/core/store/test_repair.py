"""Real damage to the pages of a real library, and what is left after its repair."""

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.fakes import fake_perception
from core.domain.decision import TitleSet
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId
from core.errors import InputError, LibraryBusy, LibraryDamaged
from core.paths import LibraryPaths
from core.progress import Progress
from core.settings import BackupSettings
from core.store.backup import faults
from core.store.backup_shelf import make_backup
from core.store.library import open_library
from core.store.migrations.ladder import NEWEST
from core.store.repair import restore_library, salvage_library
from core.store.salvage.collect import Collector
from core.store.salvage.pages import PageFile
from core.store.salvage.record import Unreadable, row_of

PHOTOS = 200
PAGE = 4096
BY_HAND = ("decisions", "judgements", "queries")
COMPARED = (*BY_HAND, "photos", "files", "tags", "vectors", "concepts", "facts", "roots")
NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)
Rows = dict[str, set[tuple[object, ...]]]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a library with two hundred photos and what was decided about them."""
    from tests.core.conftest import Picture, fill  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("pristine")
    library = open_library(LibraryPaths(folder))
    colours = ("red", "blue", "green", "black")
    pictures = [
        Picture(colours[i % 4], contributor=f"someone {i % 3}", keywords=(f"word {i}", "all"))
        for i in range(PHOTOS)
    ]
    with library.database.write():
        fill(library, pictures, folder)
        library.judgements.remember(QueryId("q"), ComposedQuery("red"))
        library.judgements.judge(QueryId("q"), [PhotoId(i) for i in range(1, PHOTOS + 1)], [])
        for i in range(1, PHOTOS + 1):
            library.decisions.add(TitleSet((PhotoId(i),), f"A title of some length for {i}" * 3))
    library.facts.put("last", "word")
    library.database.checkpoint()
    library.close()
    return folder / "library.sqlite"


@pytest.fixture
def paths(pristine: Path, tmp_path: Path) -> LibraryPaths:
    paths = LibraryPaths(tmp_path / "library")
    paths.root.mkdir()
    copyfile(pristine, paths.database)
    return paths


def rows_in(file: Path) -> Rows:
    with closing(sqlite3.connect(file)) as connection:
        found = {table: set(connection.execute(f'SELECT * FROM "{table}"')) for table in COMPARED}
    found["photos"] = {row for row in found["photos"] if not str(row[1]).startswith("lost ")}
    return found


def owner_of(file: Path) -> dict[int, str]:
    """The table or index of each page, as SQLite itself counts them."""
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT pageno, name FROM dbstat"))


def overwrite(file: Path, page: int, content: bytes) -> None:
    with file.open("r+b") as handle:
        handle.seek((page - 1) * PAGE)
        handle.write(content)


def is_clean(paths: LibraryPaths) -> bool:
    library = open_library(paths)
    wrong = library.database.check()
    found = library.profiles.match(["red"], 1000)
    library.close()
    return wrong == [] and bool(found)


def test_all_rows_are_read_as_sqlite_reads_them(pristine: Path) -> None:
    collector = Collector(PageFile.read(pristine), Progress())
    found: Rows = {table: set() for table in COMPARED}
    for table, values in collector.rows():
        if table in found:
            found[table].add(tuple(values.values()))
    assert collector.version == NEWEST
    assert (collector.lost, collector.broken) == (0, set())
    assert {t: sorted(map(as_float, r), key=repr) for t, r in found.items()} == {
        t: sorted(map(as_float, r), key=repr) for t, r in rows_in(pristine).items()
    }


def as_float(row: tuple[object, ...]) -> tuple[object, ...]:
    """Whole reals are stored as integers."""
    return tuple(float(v) if isinstance(v, int) else v for v in row)


def test_of_a_page_that_is_gone_only_its_own_rows_are_lost(
    pristine: Path, paths: LibraryPaths
) -> None:
    whole, owners = rows_in(pristine), owner_of(pristine)
    chance = random.Random(3)
    names = (*COMPARED, "profile_text_data", "photos_by_time", "sqlite_autoindex_files_1")
    for place, name in enumerate(names):
        page = chance.choice([page for page, owner in owners.items() if owner == name])
        filling = (b"\0", b"\xa5")[place % 2]
        copyfile(pristine, paths.database)
        overwrite(paths.database, page, filling * PAGE)
        salvage_library(paths, Progress())
        assert is_clean(paths), name
        left = rows_in(paths.database)
        for table in COMPARED:
            assert left[table] <= whole[table], (name, table)
            lost = whole[table] - left[table]
            if table != name and (name not in ("photos", "queries") or table == "decisions"):
                assert not lost, (name, page, table)
            if table == name:
                assert len(lost) <= rows_on(pristine, page)


def rows_on(file: Path, page: int) -> int:
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT ncell FROM dbstat WHERE pageno = ?"
        return int(connection.execute(query, (page,)).fetchone()[0])


def test_rows_below_a_lost_root_are_found_by_their_shape(
    pristine: Path, paths: LibraryPaths
) -> None:
    with closing(sqlite3.connect(pristine)) as connection:
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    whole = rows_in(pristine)
    for table in ("photos", "files", "tags", "decisions", "vectors"):
        overwrite(paths.database, roots[table], b"\0" * PAGE)
    salvage_library(paths, Progress())
    assert is_clean(paths)
    left = rows_in(paths.database)
    for table in ("photos", "files", "decisions"):
        assert left[table] == whole[table], table
    for table in COMPARED:
        assert left[table] <= whole[table], table
        assert len(left[table]) >= len(whole[table]) * 0.9, table  # indexes keep rows in roots too


def test_without_its_first_page_a_library_is_found_again(
    pristine: Path, paths: LibraryPaths
) -> None:
    for content in (b"\0" * PAGE, b"garbage " * 512, b"SQLite format 3\0" + b"\xff" * 84):
        copyfile(pristine, paths.database)
        overwrite(paths.database, 1, content)
        with pytest.raises(LibraryDamaged, match="library"):
            open_library(paths)
        salvage_library(paths, Progress())
        assert is_clean(paths)
        left, whole = rows_in(paths.database), rows_in(pristine)
        assert {t: left[t] for t in COMPARED} == {t: whole[t] for t in COMPARED}


@pytest.mark.parametrize("share", [0.65, 0.75, 0.95])
def test_of_a_file_cut_short_the_beginning_is_kept(
    pristine: Path, paths: LibraryPaths, share: float
) -> None:
    content = pristine.read_bytes()
    paths.database.write_bytes(content[: int(len(content) * share)])
    rescue = salvage_library(paths, Progress()).rescue
    assert rescue is not None and rescue.lost > 0
    left, whole = rows_in(paths.database), rows_in(pristine)
    for table in COMPARED:
        if table != "photos":
            assert left[table] <= whole[table], table
    assert len(left["photos"]) > PHOTOS * share * 0.3
    assert open_library(paths).database.check() == []


def test_what_only_the_log_holds_is_kept(paths: LibraryPaths, pristine: Path) -> None:
    library = open_library(paths)
    library.decisions.add(TitleSet((PhotoId(1),), "the newest"))
    log = paths.database.with_name("library.sqlite-wal")
    files = paths.database.read_bytes(), log.read_bytes()
    library.close()
    paths.database.write_bytes(files[0])
    log.write_bytes(files[1])
    overwrite(paths.database, owner_page(pristine, "concepts"), b"\0" * PAGE)
    overwrite(paths.database, 1, b"\0" * 100)
    salvage_library(paths, Progress())
    library = open_library(paths)
    assert library.decisions.all()[-1].value == TitleSet((PhotoId(1),), "the newest")
    library.close()


def test_frames_of_the_log_that_were_not_committed_or_are_damaged_count_for_nothing(
    paths: LibraryPaths,
) -> None:
    library = open_library(paths)
    library.facts.put("first", "committed")
    log = paths.database.with_name("library.sqlite-wal")
    length = log.stat().st_size
    library.facts.put("second", "committed too")
    content, frames = paths.database.read_bytes(), bytearray(log.read_bytes())
    library.close()
    frames[length + 24 + 100] ^= 0xFF
    paths.database.write_bytes(content)
    log.write_bytes(frames)
    collector = Collector(PageFile.read(paths.database), Progress())
    facts = {values["name"] for table, values in collector.rows() if table == "facts"}
    assert "first" in facts and "second" not in facts


def owner_page(file: Path, name: str) -> int:
    return next(page for page, owner in owner_of(file).items() if owner == name)


def test_a_lost_log_leaves_a_library_that_opens(paths: LibraryPaths) -> None:
    library = open_library(paths)
    for i in range(200):
        library.facts.put(f"late {i}", "x" * 2000)
    content = paths.database.read_bytes()
    library.close()
    paths.database.write_bytes(content)
    salvage_library(paths, Progress())
    assert is_clean(paths)


def test_gaps_are_filled_from_the_newest_backup(paths: LibraryPaths, pristine: Path) -> None:
    library = open_library(paths)
    make_backup(library.database, BackupSettings(), NOW, Progress())
    library.decisions.add(TitleSet((PhotoId(2),), "after the backup"))
    library.close()
    for table in ("photos", "files", "decisions", "tags", "queries"):
        page = [p for p, name in owner_of(pristine).items() if name == table][1:2]
        overwrite(paths.database, *(page or [owner_page(pristine, table)]), b"\0" * PAGE)
    replaced = salvage_library(paths, Progress())
    assert replaced.backup is not None and replaced.rescue is not None
    assert replaced.rescue.filled["photos"] > 0
    left, whole = rows_in(paths.database), rows_in(pristine)
    assert left["decisions"] >= whole["decisions"]
    assert len(left["decisions"]) == PHOTOS + 1
    for table in ("photos", "files", "judgements", "queries"):
        assert left[table] == whole[table], table
    assert len(whole["tags"] - left["tags"]) <= 1  # of photos that kept their other tags
    assert is_clean(paths)


def test_what_was_deleted_is_not_brought_back(paths: LibraryPaths, pristine: Path) -> None:
    library = open_library(paths)
    for decision in library.decisions.all()[: PHOTOS - 5]:
        library.decisions.remove(decision.id)
    library.close()
    overwrite(paths.database, owner_page(pristine, "concepts"), b"\0" * PAGE)
    salvage_library(paths, Progress())
    library = open_library(paths)
    assert len(library.decisions.all()) == 5
    library.close()


def test_no_new_photo_gets_the_number_of_a_lost_one(paths: LibraryPaths, pristine: Path) -> None:
    from tests.core.conftest import Picture, facts  # noqa: PLC0415

    last = max(page for page, name in owner_of(pristine).items() if name == "photos")
    overwrite(paths.database, last, b"\0" * PAGE)
    salvage_library(paths, Progress())
    library = open_library(paths)
    assert library.photos.count() < PHOTOS
    stamp = library.photos.photos(library.photos.ids()[:1])[0].files[0]
    new = library.photos.save(facts(Picture("red"), 5000), stamp)
    assert new > PHOTOS
    library.close()


def test_a_file_with_nothing_in_it_becomes_the_newest_backup(
    paths: LibraryPaths, pristine: Path
) -> None:
    with pytest.raises(LibraryDamaged, match="no backup"):
        salvage_noise(paths)
    assert paths.database.read_bytes() == NOISE
    copyfile(pristine, paths.database)
    library = open_library(paths)
    make_backup(library.database, BackupSettings(), NOW, Progress())
    library.close()
    replaced = salvage_noise(paths)
    assert replaced.backup is not None
    left, whole = rows_in(paths.database), rows_in(pristine)
    for table in COMPARED:
        assert left[table] == (set() if table == "vectors" else whole[table]), table
    assert replaced.set_aside is not None and replaced.set_aside.read_bytes() == NOISE


NOISE = random.Random(1).randbytes(40 * PAGE)


def salvage_noise(paths: LibraryPaths):
    paths.database.write_bytes(NOISE)
    return salvage_library(paths, Progress())


def test_a_restored_backup_takes_vectors_from_what_was_there(
    paths: LibraryPaths, pristine: Path
) -> None:
    library = open_library(paths)
    backup = make_backup(library.database, BackupSettings(), NOW, Progress())
    library.decisions.add(TitleSet((PhotoId(2),), "regretted"))
    cache = paths.vectors / "old.npz"
    cache.parent.mkdir()
    cache.write_bytes(b"of the library before")
    library.close()
    replaced = restore_library(paths, None, Progress())
    assert replaced.backup == backup.path
    assert rows_in(paths.database) == rows_in(pristine)
    assert not cache.exists()
    assert replaced.set_aside is not None and faults(replaced.set_aside) == ""
    with closing(sqlite3.connect(replaced.set_aside)) as connection:
        assert connection.execute("SELECT count(*) FROM decisions").fetchone() == (PHOTOS + 1,)


def test_what_cannot_be_restored_leaves_the_library_as_it_is(paths: LibraryPaths) -> None:
    before = paths.database.read_bytes()
    with pytest.raises(InputError, match="no backup"):
        restore_library(paths, None, Progress())
    (paths.root / "note.txt").write_text("no database")
    with pytest.raises(InputError, match="cannot be restored"):
        restore_library(paths, paths.root / "note.txt", Progress())
    assert paths.database.read_bytes() == before


def test_a_library_that_is_open_elsewhere_is_not_replaced(paths: LibraryPaths) -> None:
    library = open_library(paths)
    assert library.photos.count() == PHOTOS
    with pytest.raises(LibraryBusy, match="open elsewhere"):
        salvage_library(paths, Progress())
    library.close()
    assert not list(paths.root.glob("set-aside/*"))
    assert salvage_library(paths, Progress()).rescue is not None


def test_random_damage_anywhere_gives_a_whole_library(paths: LibraryPaths, pristine: Path) -> None:
    chance = random.Random(11)
    whole = rows_in(pristine)
    for _ in range(8):
        content = bytearray(pristine.read_bytes())
        for _ in range(chance.choice((1, 5, 30))):
            start = chance.randrange(len(content))
            length = min(chance.choice((1, 16, 3000, 9000)), len(content) - start)
            content[start : start + length] = chance.randbytes(length)
        paths.database.write_bytes(content)
        for log in paths.root.glob("library.sqlite-*"):
            log.unlink()
        salvage_library(paths, Progress())
        library = open_library(paths)
        assert library.database.check() == []
        library.close()
        left = rows_in(paths.database)
        assert len(left["decisions"]) > len(whole["decisions"]) * 0.3


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False),
                          st.text(st.characters(exclude_categories=["Cs"])), st.binary()),
                min_size=1, max_size=20))  # fmt: skip
def test_records_of_any_values_are_read_as_they_were_written(values: list[object]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        columns = ", ".join(f"c{i}" for i in range(len(values)))
        connection.execute("PRAGMA page_size = 512")
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(values))})", values)
        connection.commit()
        content = connection.serialize()
    page = PageFile(content, 512, {}, len(content) // 512).page(2)
    assert page is not None
    assert [row for _, row in page.rows] == [tuple(values)]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=600))
def test_no_bytes_can_upset_the_reader(content: bytes) -> None:
    file = PageFile(content.ljust(1024, b"\x0d"), 512, {}, 2)
    assert file.page(1) is None or file.page(1) is not None
    assert file.page(2) is None or file.page(2) is not None
    try:
        row_of(content)
    except Unreadable:
        return


def test_vectors_are_read_in_full(pristine: Path, paths: LibraryPaths) -> None:
    overwrite(paths.database, 1, b"\0" * PAGE)
    salvage_library(paths, Progress())
    library = open_library(paths)
    ids, vectors = library.vectors.load(fake_perception().encoder.name)
    assert len(ids) == PHOTOS and np.isfinite(vectors).all()
    library.close()
