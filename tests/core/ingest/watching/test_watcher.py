"""Real folders under a real watcher: what changes is heard, and only that."""

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from watchdog.observers.inotify_c import InotifyFD

from core.ingest.folders.folder_change import FolderChange
from core.ingest.watching import ear as ear_module
from core.ingest.watching.ear import WhyPolled
from core.ingest.watching.watcher import FolderWatcher
from core.settings import Settings, WatchSettings

SOON = WatchSettings(quiet_s=0.15, longest_s=5, poll_s=0.1)
WAIT_S = 30.0
Watch = Callable[..., FolderWatcher]


@pytest.fixture(params=["events", "polling"])
def settings(request: pytest.FixtureRequest) -> Settings:
    return Settings(watch=SOON.model_copy(update={"polling": request.param == "polling"}))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "photos"
    (made / "2021" / "rome").mkdir(parents=True)
    (made / "2021" / "a.jpg").write_bytes(b"a")
    (made / "2021" / "rome" / "b.jpg").write_bytes(b"b")
    return made


@pytest.fixture
def watch(settings: Settings) -> Iterator[Watch]:
    with ExitStack() as opened:

        def make(*roots: Path, **options: object) -> FolderWatcher:
            return opened.enter_context(FolderWatcher(roots, settings, **options))  # type: ignore[arg-type]

        yield make


def heard(watcher: FolderWatcher, *wanted: FolderChange) -> set[FolderChange]:
    """All changes until the wanted ones are among them (a deep one holds for all below)."""
    changes: set[FolderChange] = set()
    until = time.monotonic() + WAIT_S

    def is_covered(change: FolderChange) -> bool:
        return any(
            c == change or (c.deep and (c.folder == change.folder or c.folder in
                                        change.folder.parents))
            for c in changes
        )  # fmt: skip

    while not all(map(is_covered, wanted)):
        assert time.monotonic() < until, f"heard only {changes}"
        watcher.tend()
        batch = watcher.take()
        changes |= set(batch.folders if batch else ())
        time.sleep(0.02)
    return changes


def silence(watcher: FolderWatcher) -> set[FolderChange]:
    """What is heard while nothing should be."""
    changes: set[FolderChange] = set()
    until = time.monotonic() + 5 * SOON.quiet_s
    while time.monotonic() < until:
        watcher.tend()
        batch = watcher.take()
        changes |= set(batch.folders if batch else ())
        time.sleep(0.02)
    return changes


def test_a_new_file_is_heard_in_its_folder_alone(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021" / "rome" / "c.jpg").write_bytes(b"c")
    rome = FolderChange(root / "2021" / "rome")
    assert heard(watcher, rome) == {rome}


def test_a_changed_file_is_heard(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021" / "a.jpg").write_bytes(b"other and longer")
    year = FolderChange(root / "2021")
    assert heard(watcher, year) == {year}


def test_a_deleted_file_is_heard(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021" / "a.jpg").unlink()
    heard(watcher, FolderChange(root / "2021"))


def test_a_file_that_moves_is_heard_in_both_folders(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021" / "a.jpg").rename(root / "2021" / "rome" / "a.jpg")
    both = {FolderChange(root / "2021"), FolderChange(root / "2021" / "rome")}
    assert heard(watcher, *both) == both


def test_a_file_moved_in_from_elsewhere_is_heard(watch: Watch, root: Path, tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_bytes(b"x")
    watcher = watch(root)
    (tmp_path / "x.jpg").rename(root / "2021" / "x.jpg")
    heard(watcher, FolderChange(root / "2021"))


def test_new_folders_are_heard_and_then_watched(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    nested = root / "2022" / "paris" / "day 1"
    nested.mkdir(parents=True)
    (nested / "d.jpg").write_bytes(b"d")
    heard(watcher, FolderChange(nested))
    silence(watcher)
    (nested / "e.jpg").write_bytes(b"e")
    assert FolderChange(nested) in heard(watcher, FolderChange(nested))


def test_a_tree_moved_in_is_heard_as_a_whole(watch: Watch, root: Path, tmp_path: Path) -> None:
    (tmp_path / "trip" / "day").mkdir(parents=True)
    (tmp_path / "trip" / "day" / "x.jpg").write_bytes(b"x")
    watcher = watch(root)
    (tmp_path / "trip").rename(root / "trip")
    heard(watcher, FolderChange(root / "trip", deep=True))


def test_a_renamed_folder_is_heard_under_both_names(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021").rename(root / "year")
    heard(watcher, FolderChange(root / "2021", True), FolderChange(root / "year", True))
    silence(watcher)
    (root / "year" / "rome" / "new.jpg").write_bytes(b"n")
    heard(watcher, FolderChange(root / "year" / "rome"))


def test_hidden_partial_and_own_files_are_not_heard(watch: Watch, root: Path) -> None:
    for folder in (".cache", "@eaDir", "library/thumbnails"):
        (root / folder).mkdir(parents=True)
    watcher = watch(root, excluded=(root / "library",))
    for name in (
        ".hidden.jpg", "x.jpg.part", "y.CRDOWNLOAD", "z.tmp", ".cache/a.jpg", "@eaDir/b.jpg",
        "library/thumbnails/c.jpg", "library/library.sqlite-wal",
    ):  # fmt: skip
        (root / name).write_bytes(b"x")
    (root / "library" / "new").mkdir()
    assert silence(watcher) == set()
    (root / "x.jpg.part").rename(root / "x.jpg")
    assert heard(watcher, FolderChange(root)) == {FolderChange(root)}


def test_reading_files_is_not_heard(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    (root / "2021" / "a.jpg").read_bytes()
    list(root.rglob("*"))
    assert silence(watcher) == set()


def test_a_root_that_goes_and_comes_back_is_heard(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    root.rename(root.parent / "elsewhere")
    heard(watcher, FolderChange(root, True))
    silence(watcher)
    (root.parent / "elsewhere").rename(root)
    heard(watcher, FolderChange(root, True))
    silence(watcher)
    (root / "2021" / "new.jpg").write_bytes(b"n")
    heard(watcher, FolderChange(root / "2021"))


def test_a_root_that_is_made_anew_is_watched(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    root.rename(root.parent / "old")
    root.mkdir()
    heard(watcher, FolderChange(root, True))
    silence(watcher)
    (root / "new.jpg").write_bytes(b"n")
    assert FolderChange(root) in heard(watcher, FolderChange(root))


def test_a_root_may_come_later(watch: Watch, tmp_path: Path) -> None:
    watcher = watch(tmp_path / "disk")
    assert silence(watcher) == set()
    (tmp_path / "disk").mkdir()
    heard(watcher, FolderChange(tmp_path / "disk", True))


def test_names_of_any_bytes_are_heard(watch: Watch, root: Path) -> None:
    watcher = watch(root)
    odd = Path(os.fsdecode(os.fsencode(root) + b"/2021/caf\xe9"))
    odd.mkdir()
    (odd / "x.jpg").write_bytes(b"x")
    heard(watcher, FolderChange(odd))


def test_no_thread_is_left(settings: Settings, root: Path) -> None:
    before = set(threading.enumerate())
    with FolderWatcher([root], settings):
        assert set(threading.enumerate()) > before
    assert set(threading.enumerate()) == before


def test_polling_is_told_once_with_its_cause(settings: Settings, root: Path) -> None:
    with FolderWatcher([root], settings) as watcher:
        told = watcher.tend()
        assert [p.why for p in told] == [WhyPolled.ASKED] * settings.watch.polling
        assert watcher.tend() == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
@pytest.mark.parametrize("where", ["root", "rome"])
def test_a_refusal_falls_back_to_polling(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, where: str
) -> None:
    add = InotifyFD._get_or_create_watch

    def refuse(self: InotifyFD, path: bytes, *rest: object) -> object:
        if path == os.fsencode(root if where == "root" else root / "2021" / "rome"):
            raise OSError(code, "limit reached")
        return add(self, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(InotifyFD, "_get_or_create_watch", refuse)
    before = set(threading.enumerate())
    with FolderWatcher([root], Settings(watch=SOON)) as watcher:
        assert [(p.root, p.why) for p in watcher.tend()] == [(root, WhyPolled.LIMIT)]
        (root / "2021" / "rome" / "c.jpg").write_bytes(b"c")
        heard(watcher, FolderChange(root / "2021" / "rome"))
    assert set(threading.enumerate()) == before


def test_a_limit_that_is_reached_later_is_noticed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FolderWatcher([root], Settings(watch=SOON)) as watcher:
        assert watcher.tend() == []

        def refuse(*_: object) -> object:
            raise OSError(errno.ENOSPC, "limit reached")

        monkeypatch.setattr(InotifyFD, "_get_or_create_watch", refuse)
        (root / "2022").mkdir()
        until = time.monotonic() + WAIT_S
        while not (polled := watcher.tend()):
            assert time.monotonic() < until
        assert [p.why for p in polled] == [WhyPolled.LIMIT]
        heard(watcher, FolderChange(root, True))
        (root / "2022" / "c.jpg").write_bytes(b"c")
        heard(watcher, FolderChange(root / "2022"))


def test_a_folder_on_a_network_is_polled(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ear_module, "sends_no_events", lambda folder: True)
    with FolderWatcher([root], Settings(watch=SOON)) as watcher:
        assert [p.why for p in watcher.tend()] == [WhyPolled.NETWORK]
        (root / "c.jpg").write_bytes(b"c")
        heard(watcher, FolderChange(root))


def test_lost_events_have_the_whole_root_looked_at(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's queue is made to overflow: its reader is held while more comes than it keeps."""
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    held, read = threading.Event(), InotifyFD.read_events

    def slowly(self: InotifyFD, **options: int) -> object:
        held.wait(WAIT_S)
        return read(self, **options)

    monkeypatch.setattr(InotifyFD, "read_events", slowly)
    with FolderWatcher([root], Settings(watch=SOON)) as watcher:
        path = root / "2021" / "a.jpg"
        for number in range(limit // 2 + 100):
            os.utime(path, (number, number))
            path.chmod(0o600 if number % 2 else 0o644)
            os.utime(root / "2021" / "rome" / "b.jpg", (number, number))
        held.set()
        heard(watcher, FolderChange(root, True))


REAL_LIMIT = """
import sys, time
from pathlib import Path
from core.ingest.watching.watcher import FolderWatcher
from core.settings import Settings, WatchSettings
root = Path(sys.argv[1])
with FolderWatcher([root], Settings(watch=WatchSettings(quiet_s=0.1, poll_s=0.2))) as watcher:
    told = [polled.why.name for polled in watcher.tend()]
    (root / "9" / "x.jpg").write_bytes(b"x")
    changes = None
    until = time.monotonic() + 20
    while changes is None and time.monotonic() < until:
        time.sleep(0.05)
        changes = watcher.take()
    print(*told, *(change.folder.name for change in changes.folders))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
@pytest.mark.parametrize("limit", ["watches", "instances"])
def test_the_kernels_own_limit_is_noticed(tmp_path: Path, limit: str) -> None:
    """In a user namespace of its own, where the limit may be lowered without harm to others."""
    for number in range(10):
        (tmp_path / "photos" / str(number)).mkdir(parents=True)
    (tmp_path / "watch.py").write_text(REAL_LIMIT)
    setting = f"/proc/sys/user/max_inotify_{limit}"
    lowered = ["unshare", "-Ur", "sh", "-c", f'echo {3 * (limit == "watches")} > {setting} && "$@"']
    if subprocess.run([*lowered, "sh", "true"], capture_output=True, check=False).returncode:
        pytest.skip("no user namespaces here")
    command = [*lowered, "sh", sys.executable, tmp_path / "watch.py", tmp_path / "photos"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["LIMIT", "9"]
