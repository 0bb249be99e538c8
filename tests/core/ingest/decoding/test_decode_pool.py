"""Processes that crash, hang or are killed cost one file each."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.domain.photo import FileStamp, PhotoKind
from core.domain.problem import ProblemReason
from core.errors import DecodeError, LibraryUnwritable
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Known, Outcome, Refused
from core.paths import LibraryPaths
from tests.core.ingest.decoding.films import write_film
from tests.core.ingest.decoding.four_colours import scene
from tests.core.ingest.decoding.odd_decoders import cannot_start, decode_oddly, decode_or_die
from tests.core.ingest.decoding.raw_files import write_dng

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are not on Windows")


def limits(folder: Path, **more: float) -> DecodeLimits:
    return DecodeLimits(LibraryPaths(folder), square=8, **more)  # type: ignore[arg-type]


def jobs(*names: str) -> Iterator[DecodeJob]:
    return (DecodeJob(FileStamp(Path(name), 1, 1)) for name in names)


def run(pool: DecodePool, *names: str, known: tuple[str, ...] = ()) -> list[Outcome]:
    with pool.outcomes(jobs(*names), lambda content: content in known) as outcomes:
        return list(outcomes)


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[DecodePool]:
    with DecodePool(limits(tmp_path, timeout_s=0.5), 2, decode_oddly) as opened:
        yield opened


def reasons(outcomes: list[Outcome]) -> list[ProblemReason | None]:
    return [o.reason if isinstance(o, Refused) else None for o in outcomes]


def test_outcomes_come_in_the_order_of_the_jobs(pool: DecodePool) -> None:
    names = ["slow-0", *(f"{i}" for i in range(1, 40)), "slow-40"]
    assert [o.stamp.path.name for o in run(pool, *names)] == names


def test_a_crash_costs_one_file(pool: DecodePool) -> None:
    outcomes = run(pool, "a", "crash-1", "b", "crash-2", "c")
    crashed = ProblemReason.DECODER_CRASHED
    assert reasons(outcomes) == [None, crashed, None, crashed, None]
    assert isinstance(outcomes[1], Refused) and "SIGSEGV" in outcomes[1].detail


def test_a_hang_costs_one_file_whether_it_sleeps_or_spins(pool: DecodePool) -> None:
    timeout = ProblemReason.DECODER_TIMEOUT
    assert reasons(run(pool, "a", "hang", "b", "spin", "c")) == [None, timeout, None, timeout, None]


def huge_png(path: Path, width: int, height: int) -> None:
    """A header that promises far more pixels than follow."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + name + data + check

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x06\0\0\0"
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000)))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b""))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
def test_a_picture_that_eats_memory_costs_one_file(tmp_path: Path) -> None:
    huge_png(tmp_path / "huge.png", 30_000, 10_000)
    huge_png(tmp_path / "cut.png", 100, 100)
    names = [str(tmp_path / "huge.png"), str(tmp_path / "cut.png")]
    with DecodePool(limits(tmp_path, memory_mb=700), 1) as pool:
        huge, cut = run(pool, *names)
    assert isinstance(huge, Refused) and huge.reason is ProblemReason.TOO_LARGE
    assert "memory" in huge.detail
    assert isinstance(cut, Refused) and cut.reason is ProblemReason.DAMAGED


def stamped(*paths: Path) -> Iterator[DecodeJob]:
    return (DecodeJob(FileStamp(p, p.stat().st_size, p.stat().st_mtime_ns)) for p in paths)


def test_raw_files_and_films_are_read_where_a_crash_costs_one(tmp_path: Path) -> None:
    picture = scene(1200, 800)
    paths = [
        tmp_path / name
        for name in ["a.dng", "b.mp4", "crash.dng", "c.jxl", "hang.mp4", "d.jpg", "e.mov"]
    ]
    for path in paths:
        if path.suffix == ".dng":
            write_dng(path, picture)
        elif path.suffix in (".mp4", ".mov"):
            write_film(path, [picture] * 3)
        else:
            picture.save(path)
    bounds = limits(tmp_path / "library", timeout_s=3, memory_mb=2000)
    with (
        DecodePool(bounds, 2, decode_or_die) as pool,
        pool.outcomes(stamped(*paths), lambda _: False) as outcomes,
    ):
        found = list(outcomes)
    crashed, late = ProblemReason.DECODER_CRASHED, ProblemReason.DECODER_TIMEOUT
    assert reasons(found) == [None, None, crashed, None, late, None, None]
    kinds = [o.kind for o in found if isinstance(o, Decoded)]
    assert kinds.count(PhotoKind.VIDEO) == 2


def test_a_large_file_may_take_longer() -> None:
    bounds = limits(Path("library"), timeout_s=30)
    assert bounds.seconds_for(0) == 30
    assert bounds.seconds_for(5_000_000) < 31
    assert bounds.seconds_for(4_000_000_000) > 200


def test_processes_start_without_what_few_files_need() -> None:
    program = "import sys, core.ingest.decoding.worker; print(*{'av', 'rawpy'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b""


def test_a_bug_in_a_decoder_costs_one_file(pool: DecodePool) -> None:
    assert reasons(run(pool, "a", "bug", "b")) == [None, ProblemReason.DECODER_CRASHED, None]


def test_known_content_is_not_decoded(pool: DecodePool) -> None:
    outcomes = run(pool, "a", "b", known=("b",))
    assert isinstance(outcomes[0], Decoded) and isinstance(outcomes[1], Known)


def test_processes_stay_warm_between_runs(pool: DecodePool) -> None:
    run(pool, "a", "b", "slow-c", "slow-d")
    before = {child.pid for child in decoders()}
    run(pool, "e", "f", "slow-g", "slow-h")
    assert before and {child.pid for child in decoders()} == before


def test_a_full_disk_is_no_fault_of_the_file(pool: DecodePool) -> None:
    with pytest.raises(LibraryUnwritable, match="full"):
        run(pool, "a", "full", "b")


def test_processes_that_cannot_start_blame_no_file(tmp_path: Path) -> None:
    cramped = DecodePool(limits(tmp_path, memory_mb=1), 1, cannot_start)
    with cramped as pool, pytest.raises(DecodeError, match="cannot start"):
        run(pool, "a")


def test_leaving_early_ends_the_processes(pool: DecodePool) -> None:
    with pool.outcomes(jobs("a", "hang", "b"), lambda _: False) as outcomes:
        assert next(outcomes).stamp.path.name == "a"
    assert decoders() == []
    assert not [t for t in threading.enumerate() if t.name == "decode-pool"]


def decoders() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [c for c in children if "spawn_main" in " ".join(c.cmdline())]


def test_no_orphans_after_the_parent_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(
        textwrap.dedent(
            f"""
            from pathlib import Path
            from core.domain.photo import FileStamp, PhotoKind
            from core.ingest.decoding.decode_pool import DecodePool
            from core.ingest.decoding.jobs import DecodeJob, DecodeLimits
            from core.paths import LibraryPaths
            from tests.core.ingest.decoding.odd_decoders import decode_oddly

            if __name__ == "__main__":
                limits = DecodeLimits(LibraryPaths(Path({str(tmp_path)!r})), 8)
                names = ["a", "b", "hang-1", "hang-2"]
                jobs = [DecodeJob(FileStamp(Path(name), 1, 1)) for name in names]
                with DecodePool(limits, 2, decode_oddly) as pool:
                    with pool.outcomes(jobs, lambda _: False) as outcomes:
                        for outcome in outcomes:
                            print(outcome.stamp.path.name, flush=True)
            """
        )
    )
    root = str(Path(__file__).parents[4])
    parent = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
        text=True,
    )
    assert parent.stdout is not None
    with parent.stdout:
        assert parent.stdout.readline() == "a\n"
        assert parent.stdout.readline() == "b\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        assert len(children) >= 2
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    deadline = time.monotonic() + 60
    while any(child.is_running() for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [child for child in children if child.is_running()] == []
