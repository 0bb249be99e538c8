"""Every file of a folder is walked once, in order, or named as a trouble."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.problem import ProblemReason
from core.ingest.folders.refusal import refusal
from core.ingest.folders.scan import Found, Walk
from core.ingest.folders.sniff import Sniffed, sniff_bytes
from core.settings import DecodeSettings, ScanSettings

JPEG = b"\xff\xd8\xff\xe0" + bytes(28)
MP4 = b"\0\0\0\x18ftypisom" + bytes(20)


def walk(root: Path, *excluded: Path) -> list[Found]:
    return list(Walk(root, ScanSettings(), excluded).files())


def names(root: Path, *excluded: Path) -> list[str]:
    return [str(found.stamp.path.relative_to(root)) for found in walk(root, *excluded)]


def fill(root: Path, *paths: str, data: bytes = b"x") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def test_the_order_is_that_of_the_bytes_of_the_paths(tmp_path: Path) -> None:
    fill(tmp_path, "b.jpg", "a/z.jpg", "a.jpg", "a-b/c.jpg", "a/b/c.jpg", "é.jpg", "B.jpg")
    found = [os.fsencode(f.stamp.path) for f in walk(tmp_path)]
    assert found == sorted(found) and len(found) == 7


def test_hidden_and_system_folders_and_the_library_are_left_out(tmp_path: Path) -> None:
    fill(tmp_path, "a.jpg", ".b.jpg", ".git/c.jpg", "@eaDir/d.jpg", "x/.thumbnails/e.jpg", "lib/f")
    assert names(tmp_path, tmp_path / "lib") == ["a.jpg"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_end_and_broken_ones_are_told(tmp_path: Path) -> None:
    fill(tmp_path, "a/b.jpg")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "twin").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe.jpg")
    found = {f.stamp.path.name: f.trouble for f in walk(tmp_path)}
    broken = ProblemReason.BROKEN_LINK
    assert found == {"b.jpg": None, "gone.jpg": broken, "self": broken}


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_folder_is_walked_by_its_own_path_however_links_are_called(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    fill(outside, "o.jpg")
    root = tmp_path / "root"
    fill(root, "m/a.jpg", ".hidden/h.jpg", "lib/t.jpg")
    for name, target in (
        ("a-first", root / "m"),
        ("up", tmp_path),
        ("x", outside),
        ("y", outside),
        ("shown", root / ".hidden"),
        ("kept-out", root / "lib"),
    ):
        (root / name).symlink_to(target)
    found = names(root, root / "lib")
    assert found == ["m/a.jpg", "shown/h.jpg", "up/outside/o.jpg"], "each once, loops end"


def test_what_is_left_out_can_be_set(tmp_path: Path) -> None:
    fill(tmp_path, ".a.jpg", "@eaDir/b.jpg", "private/c.jpg", "d.jpg")
    settings = ScanSettings(skip_hidden=False, skip_folders=("private",))
    found = [f.stamp.path.name for f in Walk(tmp_path, settings).files()]
    assert found == [".a.jpg", "b.jpg", "d.jpg"]


@pytest.mark.skipif(os.name == "nt", reason="paths are short there")
def test_folders_may_be_deeper_than_the_stack(tmp_path: Path) -> None:
    folders = [tmp_path]
    for _ in range(1200):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "a.jpg").write_bytes(b"x")
    found = walk(tmp_path)
    (folders[-1] / "a.jpg").unlink()
    for folder in reversed(folders[1:]):  # what cleans up after tests is not so patient
        folder.rmdir()
    assert [f.stamp.path.parent for f in found] == [folders[-1]]


def test_companions_come_with_their_file_in_the_order_of_their_paths(tmp_path: Path) -> None:
    fill(tmp_path, "a.jpg", "a.cr2", "a.xmp", "b.jpg", "metadata.json")
    found = {f.stamp.path.name: [c.stamp.path.name for c in f.companions] for f in walk(tmp_path)}
    assert found == {"a.jpg": ["a.cr2", "a.xmp", "metadata.json"], "b.jpg": ["metadata.json"]}


def test_a_part_of_a_root_is_walked_alone(tmp_path: Path) -> None:
    fill(tmp_path, "a.jpg", "s/b.jpg", "s/t/c.jpg")
    for deep, expected in ((False, ["b.jpg"]), (True, ["b.jpg", "c.jpg"])):
        part = Walk(tmp_path, ScanSettings(), (), tmp_path / "s", deep)
        assert [f.stamp.path.name for f in part.files()] == expected


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    fill(tmp_path, "a/b.jpg", "c.jpg")
    (tmp_path / "a").chmod(0)
    found = walk(tmp_path)
    (tmp_path / "a").chmod(0o700)
    assert [(f.stamp.path.name, f.trouble) for f in found] == [
        ("a", ProblemReason.UNREADABLE),
        ("c.jpg", None),
    ]


def reason(root: Path, name: str, data: bytes) -> ProblemReason | None:
    fill(root, name, data=data)
    (found,) = [f for f in walk(root) if f.stamp.path.name == name]
    refused = refusal(found, DecodeSettings(max_bytes=1000))
    return refused and refused[0]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.jpg", JPEG, None),
        ("a.JPG", b"damaged", None),  # the decoder says what is wrong with it
        ("photo", JPEG, None),
        ("photo.dat", JPEG, None),
        ("notes.txt", b"hello", ProblemReason.NOT_A_PHOTO),
        ("index.xml", b"<xml/>", ProblemReason.NOT_A_PHOTO),
        ("film.mov", MP4, None),
        ("film", MP4, None),
        ("a.cr2", b"II*\0", None),
        ("a.svg", b"<svg/>", ProblemReason.UNSUPPORTED),
        ("film.mov", b"", ProblemReason.EMPTY),
        ("a.png", b"", ProblemReason.EMPTY),
        ("a.tif", bytes(2000), ProblemReason.TOO_LARGE),
    ],
)
def test_each_file_is_a_candidate_or_a_problem(
    tmp_path: Path, name: str, data: bytes, expected: ProblemReason | None
) -> None:
    assert reason(tmp_path, name, data) is expected


@given(st.binary(max_size=40))
def test_any_bytes_can_be_sniffed(head: bytes) -> None:
    assert sniff_bytes(head) in Sniffed
