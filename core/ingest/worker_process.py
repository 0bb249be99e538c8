"""One decoding process as its parent sees it: started when needed, killed when it must be."""

import multiprocessing
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from core.ingest.jobs import DecodeJob, DecodeLimits
from core.ingest.worker import DecodeFunction, serve

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

    def deadline(self, timeout_s: float) -> float:
        """The monotonic time at which the job in flight has taken too long."""
        return self._since + (timeout_s if self.ready else _START_S)

    def give(self, number: int, job: DecodeJob) -> None:
        """Send a job; the process is started where it does not run."""
        self._in_flight = number, job
        self._since = time.monotonic()
        if self._process is None:
            self._start()
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
        self._since = time.monotonic()

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


def _in_words(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"the decoder was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"the decoder was ended by signal {-code}"
    return f"the decoder ended with code {code}"
