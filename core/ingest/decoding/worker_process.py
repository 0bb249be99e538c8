"""One decoding process as its parent sees it: started when needed, killed when it must be."""

import math
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import psutil

from core.ingest.decoding.jobs import DecodeJob, DecodeLimits
from core.ingest.decoding.worker import PATIENCE, DecodeFunction, serve

_START_S = 120.0
"""How long a process may take to start on a busy computer."""

_END_S = 5.0


class WorkerProcess:
    """A process with at most one job in flight; used by one thread at a time."""

    def __init__(self, limits: DecodeLimits, decode: DecodeFunction) -> None:
        self._limits = limits
        self._decode = decode
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._in_flight: tuple[int, DecodeJob] | None = None
        self._since = 0.0
        self._allowance = 0.0
        self._cpu_since = 0.0
        self.ready = False

    @property
    def busy(self) -> bool:
        """Whether a job is in flight."""
        return self._in_flight is not None

    @property
    def connection(self) -> Connection:
        """The parent's end; only while the process runs."""
        assert self._connection is not None
        return self._connection

    @property
    def job(self) -> DecodeJob:
        """The job in flight."""
        assert self._in_flight is not None
        return self._in_flight[1]

    @property
    def timeout_s(self) -> float:
        """Seconds that the job in flight may take, by the size of its file."""
        size = 0 if self._in_flight is None else self._in_flight[1].stamp.size
        return self._limits.seconds_for(size)

    @property
    def deadline(self) -> float:
        """The monotonic time at which the job in flight has to be looked at."""
        return self._since + self._allowance

    def is_overdue(self) -> bool:
        """Whether the job in flight has taken too long.

        On a busy computer a decoder may wait for the processor: it is overdue when it has used
        the time itself, or when it has taken several times as long.
        """
        now = time.monotonic()
        if now <= self.deadline:
            return False
        if not self.ready:
            return True
        unused = self.timeout_s - (self._cpu_seconds() - self._cpu_since)
        if unused <= 0 or now > self._since + self.timeout_s * PATIENCE:
            return True
        self._allowance = min(now - self._since + unused, self.timeout_s * PATIENCE) + 0.01
        return False

    def _cpu_seconds(self) -> float:
        """Processor time of the process so far; endless where it has ended."""
        if self._process is None or self._process.pid is None:
            return math.inf
        try:
            times = psutil.Process(self._process.pid).cpu_times()
        except psutil.Error:
            return math.inf
        return float(times.user + times.system)

    def _begin(self) -> None:
        self._since = time.monotonic()
        self._allowance = self.timeout_s if self.ready else _START_S
        self._cpu_since = self._cpu_seconds() if self.ready else 0.0

    def give(self, number: int, job: DecodeJob) -> None:
        """Send a job; the process is started where it does not run."""
        self._in_flight = number, job
        if self._process is None:
            self._start()
        self._begin()
        try:
            self.connection.send(job)
        except (BrokenPipeError, ConnectionResetError):
            return  # it died while idle; reading from it tells so

    def take(self) -> int:
        """The number of the job in flight, which is done."""
        assert self._in_flight is not None
        number = self._in_flight[0]
        self._in_flight = None
        return number

    def restart_clock(self) -> None:
        """The process is ready: the job's time begins now."""
        self.ready = True
        self._begin()

    def start_again(self) -> None:
        """Start another process for the job in flight."""
        self.end()
        assert self._in_flight is not None
        self.give(*self._in_flight)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=serve,
            args=(theirs, self._limits, self._decode),
            name="photo-decoder",
            daemon=True,
        )
        with _undisturbed():
            self._process.start()
        theirs.close()
        self._connection = ours
        self.ready = False

    def end(self, patience_s: float = 0.0) -> str:
        """Kill the process unless it ends within `patience_s`; how it had ended, in words."""
        if self._process is None or self._connection is None:
            return ""
        self._process.join(patience_s)
        code = self._process.exitcode
        if code is None:
            self._process.kill()
        self._process.join(_END_S)
        self._connection.close()
        self._process.close()
        self._process = self._connection = None
        self.ready = False
        return _in_words(code)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What starts in here is deaf to Ctrl-C from its first instruction on: the parent decides."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_words(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"the decoder was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"the decoder was ended by signal {-code}"
    return f"the decoder ended with code {code}"
