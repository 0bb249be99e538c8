"""No change is lost, none waits too long, none is read while it is being written."""

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.folders.folder_change import FolderChange
from core.ingest.watching.debounce import Changes, Debouncer, Stamp, outermost

QUIET, LONGEST, TICK = 2.0, 30.0, 0.5
A, B = Path("/photos/a"), Path("/photos/b")


@dataclass
class Disk:
    """Files and how large they are; looking is counted."""

    stamps: dict[Path, Stamp] = field(default_factory=dict)
    looked_at: list[Path] = field(default_factory=list)

    def look(self, path: Path) -> Stamp:
        self.looked_at.append(path)
        return self.stamps.get(path)


def machine() -> Debouncer:
    return Debouncer(QUIET, LONGEST)


def test_nothing_is_due_where_nothing_changed() -> None:
    assert machine().due_at is None
    assert machine().take(1e9, Disk().look) is None


def test_a_change_waits_until_it_is_quiet() -> None:
    one = machine()
    one.touch(A, 10.0)
    one.touch(A, 11.5)
    assert one.take(12.0, Disk().look) is None
    assert one.take(13.5, Disk().look) == Changes((FolderChange(A),))
    assert one.take(100.0, Disk().look) is None


def test_a_copy_without_a_pause_is_read_in_between() -> None:
    one, disk = machine(), Disk()
    taken = []
    for second in range(40):
        path = A / f"{second:02}.jpg"
        disk.stamps[path] = (5, second)
        one.touch_file(path, (5, second), float(second))
        if (batch := one.take(second + 0.5, disk.look)) is not None:
            taken.append((second, batch))
    assert [second for second, _ in taken] == [30]
    assert taken[0][1].leave == {A / "29.jpg", A / "30.jpg"}, "they came just now"


def test_a_growing_file_is_left_until_its_size_rests() -> None:
    one, disk, film = machine(), Disk(), A / "film.mov"
    one.touch_file(film, (1, 0), 0.0)
    disk.stamps[film] = (9, 0)
    assert one.take(2.0, disk.look) == Changes((FolderChange(A),), frozenset({film}))
    disk.stamps[film] = (50, 0)
    assert one.take(4.0, disk.look) == Changes((FolderChange(A),), frozenset({film}))
    assert one.take(6.0, disk.look) == Changes((FolderChange(A),))
    assert one.due_at is None


def test_a_file_that_went_is_at_rest() -> None:
    one = machine()
    one.touch_file(A / "x.jpg", (5, 5), 0.0)
    assert one.take(2.0, Disk().look) == Changes((FolderChange(A),))


def test_only_touched_files_are_looked_at() -> None:
    one, disk = machine(), Disk({A / "x.jpg": (1, 1), A / "y.jpg": (1, 1)})
    one.touch_file(A / "x.jpg", (1, 1), 0.0)
    one.touch(B, 0.0, deep=True)
    one.take(5.0, disk.look)
    assert disk.looked_at == [A / "x.jpg"]


def test_what_lies_below_a_deep_change_is_named_once() -> None:
    asked = {A: True, A / "sub": False, A / "sub" / "deep": True, B: False, B / "sub": False}
    assert outermost(asked) == (
        FolderChange(A, True), FolderChange(B), FolderChange(B / "sub"),
    )  # fmt: skip


FOLDERS = st.sampled_from([A, A / "x", A / "x" / "y", B, Path("/photos")])
EVENTS = st.lists(
    st.tuples(st.floats(0, 10), FOLDERS, st.sampled_from(["shallow", "deep", "file", "grow"])),
    max_size=60,
)


def covers(batch: Changes, folder: Path, deep: bool) -> bool:
    for change in batch.folders:
        if change.folder == folder and (change.deep or not deep):
            return True
        if change.deep and change.folder in folder.parents:
            return True
    return False


@settings(max_examples=300)
@given(EVENTS)
def test_no_change_is_lost_and_none_waits_too_long(events: list[tuple[float, Path, str]]) -> None:
    one, disk, now = machine(), Disk(), 0.0
    waiting: list[tuple[float, Path, bool]] = []
    files: dict[Path, tuple[float, Stamp]] = {}  # last written, as what

    def run_until(until: float) -> None:
        nonlocal now
        while now < until:
            now = min(until, now + TICK)
            batch = one.take(now, disk.look)
            if batch is not None:
                hear(batch)

    def hear(batch: Changes) -> None:
        for asked in [w for w in waiting if covers(batch, w[1], w[2])]:
            waiting.remove(asked)
            assert now - asked[0] <= LONGEST + TICK
        for path in [p for p in files if covers(batch, p.parent, False)]:
            if path not in batch.leave:
                assert disk.stamps[path] == files[path][1]
                assert now - files[path][0] >= QUIET
                del files[path]

    for number, (pause, folder, what) in enumerate(events):
        run_until(now + pause)
        path = folder / "file.jpg"
        waiting.append((now, folder, what == "deep"))
        if what in ("file", "grow"):
            disk.stamps[path] = (number, number)
            files[path] = (now, (number, number))
            told = (number, number) if what == "file" else (-1, -1)  # it grew after it was told
            one.touch_file(path, told, now)
        else:
            one.touch(folder, now, deep=what == "deep")
    run_until(now + LONGEST + 2 * QUIET + 2 * TICK)
    assert not waiting
    assert not files
    assert one.due_at is None
