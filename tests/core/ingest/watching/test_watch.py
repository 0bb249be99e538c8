"""A library that watches its folders: what comes, changes and goes is there soon, and only that."""

import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from watchdog.observers.inotify_c import InotifyFD

from core.backends.fakes import fake_perception
from core.domain.change import LibraryChange
from core.domain.report import IndexReport
from core.engine import Engine
from core.errors import Cancelled, FolderMissing, LibraryUnwritable, PhotoAppError
from core.ingest.watching import watch as watch_module
from core.ingest.watching.between_writes import BetweenWrites
from core.ingest.watching.seldom import SeldomLog
from core.ingest.watching.watch import WatchEvent
from core.ingest.watching.watcher import Polled
from core.loaded import Backends
from core.progress import Progress
from core.settings import DecodeSettings, Settings, WatchSettings
from tests.core.pictures import FAKES, Scene, draw

WAIT_S = 60.0
SOON = Settings(
    watch=WatchSettings(quiet_s=0.2, longest_s=3, poll_s=0.2), decode=DecodeSettings(workers=1)
)


@dataclass
class Watched:
    """A library in the course of being watched, and all that was told."""

    engine: Engine
    photos: Path
    progress: Progress = field(default_factory=Progress)
    told: list[WatchEvent] = field(default_factory=list)
    changes: list[LibraryChange] = field(default_factory=list)
    error: BaseException | None = None
    thread: threading.Thread | None = None

    def begin(self, *, wait: bool = True) -> None:
        def run() -> None:
            try:
                self.engine.watch([self.photos], self.told.append, self.progress)
            except Exception as error:
                self.error = error

        self.engine.on_change = self.changes.append
        self.thread = threading.Thread(target=run)
        self.thread.start()
        self.wait(lambda: not wait or len(self.reports) >= 1 or self.error is not None)

    def end(self) -> None:
        self.progress.cancel()
        if self.thread is not None:
            self.thread.join(WAIT_S)
            assert not self.thread.is_alive()

    @property
    def reports(self) -> list[IndexReport]:
        return [event for event in self.told if isinstance(event, IndexReport)]

    def wait(self, holds: Callable[[], bool]) -> None:
        until = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < until, (self.told, self.error)
            time.sleep(0.02)

    def has(self, *names: str) -> Callable[[], bool]:
        """Whether these files are in the library, and no others."""
        return lambda: self.names() == sorted(names)

    def names(self) -> list[str]:
        ids = self.engine.library.photos.ids()
        files = (file for photo in self.engine.photos(ids) for file in photo.files)
        return sorted(str(file.path.relative_to(self.photos)) for file in files)


@pytest.fixture(params=["events", "polling"])
def settings(request: pytest.FixtureRequest) -> Settings:
    watch = SOON.watch.model_copy(update={"polling": request.param == "polling"})
    return SOON.model_copy(update={"watch": watch})


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    opened: list[Watched] = []

    def make(
        settings: Settings = SOON, backends: Backends = FAKES, library: str = "photos/library"
    ) -> Watched:
        photos = tmp_path / "photos"
        draw(photos / "2021", Scene("rose", "red"))
        draw(photos / "2021" / "rome", Scene("lake", "blue"))
        engine = Engine.open(tmp_path / library, backends)
        engine.loaded.settings = settings
        watched = Watched(engine, photos)
        opened.append(watched)
        return watched

    yield make
    for watched in opened:
        watched.end()
        watched.engine.close()


def test_what_comes_changes_and_goes_is_there_soon(
    make: Callable[..., Watched], settings: Settings
) -> None:
    watched = make(settings)
    watched.begin()
    assert watched.has("2021/rose.jpg", "2021/rome/lake.jpg")()
    draw(watched.photos / "2022" / "paris" / "day 1", Scene("flag", "green"))
    watched.wait(watched.has("2021/rose.jpg", "2021/rome/lake.jpg", "2022/paris/day 1/flag.jpg"))
    (watched.photos / "2021").rename(watched.photos / "old")
    watched.wait(watched.has("old/rose.jpg", "old/rome/lake.jpg", "2022/paris/day 1/flag.jpg"))
    assert sum(report.embedded for report in watched.reports) == 3, "a move embeds nothing"
    (watched.photos / "old" / "rose.jpg").unlink()
    watched.wait(watched.has("old/rome/lake.jpg", "2022/paris/day 1/flag.jpg"))
    before = watched.engine.photo_at(watched.photos / "old" / "rome" / "lake.jpg")
    draw(watched.photos / "old" / "rome", Scene("lake", "yellow", "black"), (99, 66))

    def is_new() -> bool:
        now = watched.engine.photo_at(watched.photos / "old" / "rome" / "lake.jpg")
        return now is not None and before is not None and now.id != before.id

    watched.wait(is_new)
    polled = [event for event in watched.told if isinstance(event, Polled)]
    assert len(polled) == settings.watch.polling


def test_only_what_changed_is_listed_and_looked_at(
    make: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = make()
    for number in range(20):
        draw(watched.photos / f"untouched {number}", Scene(f"{number:03}", "red"))
    watched.begin()
    listed: list[Path] = []
    looked_at: list[Path] = []
    scandir, stat = os.scandir, Path.stat

    def note_scandir(path: object = ".") -> object:
        listed.append(Path(os.fsdecode(path)))  # type: ignore[arg-type]
        return scandir(path)  # type: ignore[call-overload]

    def note_stat(path: Path, **options: bool) -> os.stat_result:
        looked_at.append(path)
        return stat(path, **options)

    monkeypatch.setattr(os, "scandir", note_scandir)
    monkeypatch.setattr(Path, "stat", note_stat)
    draw(watched.photos / "2021" / "rome", Scene("new", "green"))
    watched.wait(lambda: "2021/rome/new.jpg" in watched.names())
    watched.end()
    below = [path for path in listed if path.is_relative_to(watched.photos)]
    own = watched.engine.library.paths.root
    assert {path for path in below if not path.is_relative_to(own)} == {
        watched.photos / "2021" / "rome"
    }
    assert not [path for path in looked_at if "untouched" in str(path)]


def test_a_root_that_goes_is_offline_and_its_photos_stay(
    make: Callable[..., Watched], settings: Settings, tmp_path: Path
) -> None:
    watched = make(settings, library="library")
    watched.begin()
    watched.photos.rename(tmp_path / "away")
    watched.wait(lambda: watched.engine.roots()[watched.photos])
    assert len(watched.names()) == 2
    (tmp_path / "away").rename(watched.photos)
    watched.wait(lambda: not watched.engine.roots()[watched.photos])
    draw(watched.photos, Scene("new", "green"))
    watched.wait(lambda: "new.jpg" in watched.names())
    watched.wait(lambda: sum(report.embedded for report in watched.reports) >= 3)
    assert sum(report.embedded for report in watched.reports) == 3


def test_a_disk_that_is_pulled_out_takes_no_photo_with_it(
    make: Callable[..., Watched], tmp_path: Path
) -> None:
    """All below a root vanishes at once and an empty mount point is left."""
    watched = make(library="library")
    watched.begin()
    (watched.photos / "2021").rename(tmp_path / "away")
    watched.wait(lambda: watched.engine.roots()[watched.photos])
    assert len(watched.names()) == 2


def test_a_growing_file_is_read_once_it_rests(make: Callable[..., Watched]) -> None:
    watched = make()
    watched.begin()
    whole = draw(watched.photos.parent, Scene("grown", "green"), (400, 300)).read_bytes()
    path = watched.photos / "grown.jpg"
    with path.open("wb") as file:
        for start in range(0, len(whole), max(1, len(whole) // 30)):
            file.write(whole[start : start + max(1, len(whole) // 30)])
            file.flush()
            time.sleep(0.15)  # with other files coming, 3 s and more than one batch
            if start % 5 == 0:
                draw(watched.photos / "2021", Scene(f"other {start}", "red"), (30 + start % 9, 40))
    watched.wait(lambda: "grown.jpg" in watched.names())
    assert not [p for report in watched.reports for p in report.problems if p.path == path]


def test_what_comes_while_a_batch_is_read_waits_for_the_next(
    make: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = make()
    watched.begin()
    index = Engine._index
    drawn = threading.Event()

    def slowly(self: Engine, *rest: object) -> IndexReport:
        report = index(self, *rest)  # type: ignore[arg-type]
        if not drawn.is_set():
            draw(watched.photos / "2021", Scene("second", "black"))  # after the folder was listed
            drawn.set()
        return report

    monkeypatch.setattr(Engine, "_index", slowly)
    draw(watched.photos / "2021", Scene("first", "white"))
    watched.wait(lambda: {"2021/first.jpg", "2021/second.jpg"} <= set(watched.names()))


def test_a_library_that_cannot_be_written_now_is_tried_again(
    make: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = make()
    watched.begin()
    index, times = Engine._index, []

    def full_at_first(self: Engine, *rest: object) -> IndexReport:
        times.append(1)
        if len(times) == 1:
            raise LibraryUnwritable("The disk is full.", "Free some space.")
        return index(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "_index", full_at_first)
    monkeypatch.setattr(watch_module, "_RETRY_S", 0.1)
    draw(watched.photos / "2021", Scene("first", "white"))
    watched.wait(lambda: "2021/first.jpg" in watched.names())
    errors = [event for event in watched.told if isinstance(event, PhotoAppError)]
    assert [type(error) for error in errors] == [LibraryUnwritable]


def test_a_folder_that_never_was_is_refused(make: Callable[..., Watched], tmp_path: Path) -> None:
    watched = make()
    watched.photos = tmp_path / "nowhere"
    watched.begin()
    assert isinstance(watched.error, FolderMissing)


def test_cancelling_leaves_no_thread(make: Callable[..., Watched], settings: Settings) -> None:
    before = set(threading.enumerate())
    watched = make(settings)
    watched.begin()
    watched.end()
    assert isinstance(watched.error, Cancelled)
    assert set(threading.enumerate()) == before


def test_batches_that_change_nothing_disturb_nobody(make: Callable[..., Watched]) -> None:
    watched = make()
    watched.begin()
    gallery = watched.engine.loaded.gallery(Progress())
    count = len(watched.reports)
    (watched.photos / "2021" / "notes.txt").write_text("no photo")
    watched.wait(lambda: len(watched.reports) > count)
    assert watched.engine.loaded.gallery(Progress()) is gallery
    assert watched.changes[-1] == LibraryChange.PROBLEMS


class Gate(Progress):
    """Stands for a search in progress: every check waits, as in the window's background."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.opened = threading.Event()
        self.opened.set()
        self.checked_while_writing = 0
        self._engine = engine

    def check(self) -> None:
        super().check()
        self.checked_while_writing += self._engine.library.database.writes_here
        while not self.opened.wait(0.02):
            super().check()


def test_a_search_gets_through_whatever_the_watch_does(make: Callable[..., Watched]) -> None:
    """While the gate is closed the watch rests, and holds nothing that others wait for."""
    watched = make()
    gate = watched.progress = Gate(watched.engine)
    watched.begin()
    for number in range(6):
        draw(watched.photos / f"new {number}", Scene(f"{number:03}", "green"))
        time.sleep(0.1)
        gate.opened.clear()
        watched.engine.library.facts.put("written while the watch rests", str(number))
        watched.engine.loaded.perception(Progress())
        watched.engine.loaded.gallery(Progress())
        gate.opened.set()
    watched.wait(lambda: len(watched.names()) == 8)
    assert gate.checked_while_writing == 0


def test_models_load_while_a_person_waits(make: Callable[..., Watched]) -> None:
    """Loading asks its progress; with a closed gate there it would keep everybody's lock."""
    loading = threading.Event()

    def load(progress: Progress) -> object:
        loading.set()
        progress.report("load", 0, 1)
        return fake_perception()

    watched = make(backends=replace(FAKES, perception=load))  # type: ignore[arg-type]
    gate = watched.progress = Gate(watched.engine)
    gate.opened.clear()
    watched.begin(wait=False)
    loading.wait(WAIT_S)
    watched.engine.loaded.perception(Progress())  # would wait for ever
    gate.opened.set()


def test_two_runs_take_turns(make: Callable[..., Watched]) -> None:
    watched = make()
    with watched.engine._indexing:
        progress = Progress()
        progress.cancel()
        with pytest.raises(Cancelled):
            watched.engine.index([watched.photos], progress)


def test_between_writes_cancels_with_the_other(make: Callable[..., Watched]) -> None:
    watched = make()
    progress = Progress()
    calm = BetweenWrites(progress, watched.engine.library.database)
    calm.check()
    progress.cancel()
    with watched.engine.library.database.write():
        calm.check()  # not now
    with pytest.raises(Cancelled):
        calm.check()


def test_a_log_line_comes_seldom(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = SeldomLog(logging.getLogger("core.test"), lambda: now[0])
    with caplog.at_level(logging.INFO, "core.test"):
        for second in range(130):
            now[0] = float(second)
            log.info("looked again")
        log.info("something else")
    assert [record.getMessage() for record in caplog.records] == [
        "looked again",
        "looked again (and 59 times before)",
        "looked again (and 59 times before)",
        "something else",
    ]


def test_no_name_of_a_folder_is_logged(
    make: Callable[..., Watched], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> object:
        raise OSError(errno.ENOSPC, "limit reached")

    monkeypatch.setattr(InotifyFD, "_get_or_create_watch", refuse)
    with caplog.at_level("INFO"):
        watched = make()
        watched.begin()
        watched.end()
    assert "polled: limit" in caplog.text
    assert str(watched.photos) not in caplog.text
