"""Roots that go and come back, by any path; parts of roots; what is forgotten on request alone."""

import os
import shutil
from pathlib import Path

import pytest

from core.domain.problem import ProblemReason
from core.errors import FolderMissing, NotInLibrary
from core.ingest.folders.folder_change import FolderChange
from core.ingest.folders.forget import forget_folder, purge_lost
from core.ingest.folders.mounts import known_mounts, remember_mounts
from core.ingest.folders.parts import Part, parts_of
from core.ingest.folders.roots import settle_folders
from core.progress import Progress
from core.settings import ScanSettings
from core.store.moves import move_folder
from tests.core.ingest.houses import House

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")


def no_decoder(*_: object) -> None:
    """Fails where a file is read."""
    raise AssertionError


def paths(house: House) -> list[str]:
    top = house.photos.parent
    return sorted(str(f.path.relative_to(top)) for photo in house.all() for f in photo.files)


def test_a_root_that_comes_back_by_another_path_is_followed(house: House) -> None:
    house.draw("a", "sub/b", "sub/c")
    (house.photos / "notes.txt").write_text("x")
    shutil.copy(house.photos / "a.jpg", house.photos / os.fsdecode(b"\xff.jpg"))
    (house.photos / "a.xmp").write_text("<x/>")
    house.index()
    before = house.all()
    new = house.photos.with_name("elsewhere")
    house.photos.rename(new)
    report = house.index(new, decode=no_decoder)
    assert (report.added, report.removed, report.unchanged, report.embedded) == (0, 0, 4, 0)
    assert [p.path for p in report.problems] == [new / "notes.txt"]
    assert len(report.notes) == 1 and str(new) in report.notes[0]
    assert house.library.facts.roots() == {new: False}
    for old, now in zip(before, house.all(), strict=True):
        assert (now.id, now.facts) == (old.id, old.facts)
        moved = [new / file.path.relative_to(house.photos) for file in old.files]
        assert [file.path for file in now.files] == moved
        assert [c.stamp.path.parent for c in now.companions] == [new] * len(old.companions)
    assert house.index(new, decode=no_decoder).notes == ()


def test_a_folder_that_contradicts_is_another_one(house: House) -> None:
    house.draw("a", "b")
    house.index()
    new = house.photos.with_name("elsewhere")
    house.photos.rename(new)
    os.utime(new / "a.jpg", (5, 5))
    report = house.index(new)
    assert (report.added, report.embedded, report.notes) == (2, 0, ())
    assert house.library.facts.roots() == {house.photos: False, new: False}
    assert len(house.names()) == 4, "the old root may come back"


def test_a_copy_of_a_root_that_is_there_is_another_root(house: House) -> None:
    house.draw("a")
    house.index()
    new = house.photos.with_name("elsewhere")
    shutil.copytree(house.photos, new)
    report = house.index(new)
    assert (report.added, report.notes) == (1, ())


def test_folders_are_moved_bytes_by_bytes_and_no_neighbour_is(house: House) -> None:
    house.draw("a", "a0")
    house.index()
    neighbour = house.photos.with_name("photos-b")
    shutil.copytree(house.photos, neighbour)
    house.index(neighbour)
    assert move_folder(house.library.database, house.photos, Path("/x")) == 2
    assert set(house.library.facts.roots()) == {Path("/x"), neighbour}
    assert house.library.photos.id_at(Path("/x/a.jpg")) == house.library.photos.id_at(
        neighbour / "a.jpg"
    )


@needs_links
def test_a_root_by_a_link_is_that_root(house: House) -> None:
    house.draw("a", "sub/b")
    house.index()
    link = house.photos.with_name("link")
    link.symlink_to(house.photos)
    report = house.index(link)
    assert (report.added, report.unchanged) == (0, 2)
    assert list(house.library.facts.roots()) == [house.photos]
    assert "another path" in report.notes[0]
    assert house.index(link / "sub").unchanged == 1
    assert paths(house) == ["photos/a.jpg", "photos/sub/b.jpg"]


@needs_links
def test_a_link_to_a_folder_of_a_root_is_that_folder(house: House) -> None:
    house.draw("a", "sub/b")
    house.index()
    shortcut = house.photos.with_name("shortcut")
    shortcut.symlink_to(house.photos / "sub")
    assert house.index(shortcut).unchanged == 1
    assert set(house.library.facts.roots()) == {house.photos, house.photos / "sub"}


@needs_links
def test_a_root_above_one_that_is_known_by_a_link_leaves_it_its_files(house: House) -> None:
    house.draw("a", "sub/b")
    shortcut = house.photos.with_name("shortcut")
    shortcut.symlink_to(house.photos / "sub")
    house.index(shortcut)
    report = house.index(house.photos)
    assert (report.added, report.unchanged) == (1, 1)
    assert paths(house) == ["photos/a.jpg", "shortcut/b.jpg"]
    report = house.index(house.photos)
    assert (report.added, report.unchanged, report.removed) == (0, 2, 0)


@needs_links
def test_a_link_within_a_root_to_another_root_leads_to_no_second_file(house: House) -> None:
    house.draw("a")
    other = house.photos.with_name("other")
    other.mkdir()
    (other / "in").symlink_to(house.photos)
    shutil.copy(house.photos / "a.jpg", other / "c.jpg")
    house.index(house.photos)
    house.index(other)
    assert paths(house) == ["other/c.jpg", "photos/a.jpg"]


def test_a_file_or_nothing_is_no_folder(house: House) -> None:
    house.draw("a")
    with pytest.raises(FolderMissing, match="is a file"):
        settle_folders([house.photos / "a.jpg"], house.library)
    with pytest.raises(FolderMissing, match="is not there"):
        settle_folders([house.photos / "b"], house.library)


def test_only_changed_folders_are_looked_at(house: House) -> None:
    house.draw("a", "sub/b", "sub/deep/c")
    house.index()
    house.draw("d", "sub/e", "sub/deep/f")
    report = house.index(only=(FolderChange(house.photos / "sub"),))
    assert (report.added, report.unchanged) == (1, 1)
    assert house.names() == ["a.jpg", "b.jpg", "c.jpg", "e.jpg"]
    report = house.index(only=(FolderChange(house.photos / "sub", deep=True),))
    assert (report.added, report.unchanged) == (1, 3)
    report = house.index(only=(FolderChange(house.photos),))
    assert (report.added, report.removed) == (1, 0)
    assert house.index().unchanged == 6


def test_what_goes_in_changed_folders_goes_and_nothing_else(house: House) -> None:
    house.draw("a", "b", "sub/c", "sub/d", "gone/e")
    house.index()
    for name in ("a.jpg", "sub/c.jpg"):
        (house.photos / name).unlink()
    shutil.rmtree(house.photos / "gone")
    assert house.index(only=(FolderChange(house.photos),)).removed == 1
    assert "c.jpg" in house.names() and "e.jpg" in house.names()
    assert house.index(only=(FolderChange(house.photos / "gone", deep=True),)).removed == 1
    assert house.index(only=(FolderChange(house.photos / "sub"),)).removed == 1
    assert house.names() == ["b.jpg", "d.jpg"]
    for name in ("b.jpg", "sub/d.jpg"):
        (house.photos / name).unlink()
    report = house.index(only=(FolderChange(house.photos),))
    assert (report.removed, report.offline) == (1, ()), "a folder is left in the root"
    assert house.names() == ["d.jpg"]


@pytest.mark.parametrize("deep", [False, True])
def test_a_changed_folder_of_a_root_that_is_away_is_offline(house: House, deep: bool) -> None:
    house.draw("a", "sub/b")
    house.index()
    house.photos.rename(house.photos.with_name("away"))
    for folder in (house.photos, house.photos / "sub"):
        report = house.index(only=(FolderChange(folder, deep),))
        assert (report.offline, report.removed) == ((house.photos,), 0)
    house.photos.mkdir()
    for folder in (house.photos, house.photos / "sub"):
        report = house.index(only=(FolderChange(folder, deep),))
        assert (report.offline, report.removed) == ((house.photos,), 0)
    assert house.names() == ["a.jpg", "b.jpg"]
    assert house.library.facts.roots() == {house.photos: True}


def test_files_that_are_left_are_neither_read_nor_forgotten(house: House) -> None:
    house.draw("a", "b", "c")
    house.index()
    house.draw("d")
    (house.photos / "a.jpg").write_bytes(b"half of it")
    (house.photos / "b.jpg").unlink()
    left = frozenset(house.photos / f"{name}.jpg" for name in "abd")
    report = house.index(only=(FolderChange(house.photos),), leave=left)
    assert (report.added, report.removed, report.problems, report.unchanged) == (0, 0, (), 1)
    assert house.names() == ["a.jpg", "b.jpg", "c.jpg"]
    report = house.index()
    assert (report.added, report.removed) == (1, 1)
    assert [p.path.name for p in report.problems] == ["a.jpg"]


def test_parts_lie_in_roots_and_not_in_each_other(tmp_path: Path) -> None:
    root = tmp_path / "r"
    (root / "a" / "b").mkdir(parents=True)
    changes = [
        FolderChange(root / "a", deep=True),
        FolderChange(root / "a" / "b"),
        FolderChange(root / ".hidden"),
        FolderChange(root / "@eaDir" / "x"),
        FolderChange(root),
        FolderChange(tmp_path / "q"),
    ]
    found = parts_of(changes, [root, root / "a"], ScanSettings())
    assert found == [Part(root, root, deep=False), Part(root, root / "a")]


@needs_links
def test_behind_a_link_a_whole_root_is_the_part(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "r" / "l").symlink_to(tmp_path / "x")
    (part,) = parts_of([FolderChange(tmp_path / "r" / "l" / "y")], [tmp_path / "r"], ScanSettings())
    assert part == Part(tmp_path / "r", tmp_path / "r")


def test_a_device_below_a_root_that_is_not_there_is_offline(house: House) -> None:
    house.draw("a", "stick/b", "stick/deep/c")
    house.index()
    stick = house.photos / "stick"
    remember_mounts(house.library, [stick])  # as if it had been another device
    shutil.move(stick, house.photos.with_name("drawer"))
    for make in (lambda: None, stick.mkdir):  # its folder goes with it, or stays
        make()
        for change in (None, FolderChange(house.photos), FolderChange(stick / "deep", deep=True)):
            report = house.index(only=(change,)) if change else house.index()
            assert report.removed == 0
        assert house.index().offline == (stick,)
    assert house.names() == ["a.jpg", "b.jpg", "c.jpg"]
    assert house.library.facts.roots() == {house.photos: False}
    stick.rmdir()
    shutil.move(house.photos.with_name("drawer"), stick)
    report = house.index()
    assert (report.offline, report.unchanged) == ((), 3)
    assert known_mounts(house.library) == set(), "a folder like others by now"
    shutil.rmtree(stick)
    assert house.index().removed == 2


def test_a_folder_is_forgotten_on_request_and_comes_back_unseen(house: House) -> None:
    house.draw("a", "sub/b")
    (house.photos / "x.txt").write_text("x")
    house.index()
    with pytest.raises(NotInLibrary):
        forget_folder(house.library, house.photos.parent, Progress())
    assert forget_folder(house.library, house.photos / "sub", Progress()) == 1
    assert house.names() == ["a.jpg"]
    assert forget_folder(house.library, house.photos, Progress()) == 1
    assert (house.names(), house.library.problems.all()) == ([], [])
    assert house.library.facts.roots() == {}
    assert house.index().embedded == 0, "what was seen is still known"


def test_a_root_in_a_forgotten_folder_keeps_its_files(house: House) -> None:
    house.draw("a", "sub/b")
    house.index(house.photos, house.photos / "sub")
    forget_folder(house.library, house.photos, Progress())
    assert (house.names(), list(house.library.facts.roots())) == (
        ["b.jpg"],
        [house.photos / "sub"],
    )


def test_what_no_file_holds_is_purged_on_request_alone(house: House) -> None:
    house.draw("a", "b")
    house.index()
    (house.photos / "a.jpg").unlink()
    house.index()
    assert house.library.vectors.counts()["colours-1"] == 2
    assert purge_lost(house.library) == 1
    assert house.library.vectors.counts()["colours-1"] == 1
    assert len(list(house.library.paths.thumbnails.glob("??/*.jpg"))) == 1
    assert house.library.database.check() == []
    house.draw("a")
    assert house.index().embedded == 1
    assert purge_lost(house.library) == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_photos_in_a_folder_that_may_not_be_read_stay(house: House) -> None:
    house.draw("a", "shut/b")
    house.index()
    (house.photos / "shut").chmod(0)
    report = house.index()
    (house.photos / "shut").chmod(0o700)
    assert [p.reason for p in report.problems] == [ProblemReason.UNREADABLE]
    assert house.names() == ["a.jpg", "b.jpg"]
    assert house.index().problems == ()
