"""Decoding in processes that may crash, hang or be killed: each time one file is the price.

A thread of the parent feeds the processes, one job in flight each, and watches their time, so
that decoding goes on while the caller embeds. Outcomes come in the order of the jobs.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait

from core.domain.photo import ContentHash
from core.domain.problem import ProblemReason
from core.errors import DecodeError, PhotoAppError
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.jobs import DecodeJob, DecodeLimits, Outcome, Refused
from core.ingest.decoding.worker import DecodeFunction, Hashed, Ready
from core.ingest.decoding.worker_process import WorkerProcess

IsKnown = Callable[[ContentHash], bool]
_AHEAD = 96
"""Outcomes that may wait for the caller or for an earlier job, about 150 kB each."""

_POLL_S = 0.2
_STARTS = 3
_DEATH_S = 2.0


def default_workers() -> int:
    """One process a core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


class DecodePool:
    """Warm decoding processes; started with the first job, ended by `close`."""

    def __init__(
        self, limits: DecodeLimits, workers: int = 0, decode: DecodeFunction = decode_file
    ) -> None:
        """`workers` processes, 0 for one a core."""
        count = workers or default_workers()
        self._workers = [WorkerProcess(limits, decode) for _ in range(count)]

    @contextmanager
    def outcomes(self, jobs: Iterable[DecodeJob], is_known: IsKnown) -> Iterator[Iterator[Outcome]]:
        """An iterator of one outcome a job, in order; leaving the block stops the processes' work.

        `is_known` is asked on another thread. Raises DecodeError where no process starts, and
        LibraryUnwritable where thumbnails cannot be kept.
        """
        run = _Run(self._workers, iter(jobs), is_known)
        thread = threading.Thread(target=run.feed, name="decode-pool", daemon=True)
        thread.start()
        try:
            yield run.results()
        finally:
            run.stop.set()
            thread.join()
            if run.unfinished:
                self.close()

    def close(self) -> None:
        """End every process at once."""
        for worker in self._workers:
            worker.end()

    def __enter__(self) -> "DecodePool":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class _Run:
    """One pass over some jobs."""

    def __init__(
        self,
        workers: list[WorkerProcess],
        jobs: Iterator[DecodeJob],
        is_known: IsKnown,
    ) -> None:
        self.stop = threading.Event()
        self.unfinished = True
        self._workers = workers
        self._jobs = enumerate(jobs)
        self._is_known = is_known
        self._ready: queue.Queue[Outcome | BaseException | None] = queue.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._waiting: dict[int, Outcome] = {}
        self._next = 0
        self._exhausted = False
        self._failed_starts = 0

    def results(self) -> Iterator[Outcome]:
        """The outcomes as the caller takes them."""
        while True:
            outcome = self._ready.get()
            if outcome is None:
                return
            if isinstance(outcome, BaseException):
                raise outcome
            self._room.release()
            yield outcome

    def feed(self) -> None:
        """Run until every job has an outcome, or until stopped."""
        try:
            while not self.stop.is_set():
                busy = self._give_jobs()
                if self._exhausted and not busy:
                    self.unfinished = False
                    self._ready.put(None)
                    return
                self._hear(busy)
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            self._ready.put(error)

    def _give_jobs(self) -> list[WorkerProcess]:
        """Give each idle process a job while there is room; returns the busy ones."""
        for worker in self._workers:
            if worker.busy or self._exhausted or not self._room.acquire(blocking=False):
                continue
            number, job = next(self._jobs, (-1, None))
            if job is None:
                self._exhausted = True
                self._room.release()
                continue
            worker.give(number, job)
        return [worker for worker in self._workers if worker.busy]

    def _hear(self, busy: list[WorkerProcess]) -> None:
        if not busy:
            self.stop.wait(_POLL_S / 20)
            return
        by_connection = {worker.connection: worker for worker in busy}
        now = time.monotonic()
        patience = min([_POLL_S, *(worker.deadline - now for worker in busy)])
        idle_too = not self._exhausted and len(busy) < len(self._workers)
        for ready in wait(by_connection, _POLL_S / 20 if idle_too else max(0.0, patience)):
            if isinstance(ready, Connection):
                self._read(by_connection[ready])
        for worker in busy:
            if worker.busy and worker.is_overdue():
                seconds = f"the decoder took longer than {worker.timeout_s:.3g} s"
                self._lose(worker, ProblemReason.DECODER_TIMEOUT, seconds)

    def _read(self, worker: WorkerProcess) -> None:
        try:
            message = worker.connection.recv()
            match message:
                case Ready():
                    self._failed_starts = 0
                    worker.restart_clock()
                case Hashed(content_hash):
                    worker.connection.send(self._is_known(content_hash))
                case PhotoAppError():
                    raise message
                case _:
                    self._finish(worker, message)
        except (EOFError, OSError):
            self._died(worker)

    def _died(self, worker: WorkerProcess) -> None:
        if worker.ready:
            self._lose(worker, ProblemReason.DECODER_CRASHED, worker.end(_DEATH_S))
            return
        self._failed_starts += 1
        if self._failed_starts >= _STARTS:
            raise DecodeError(
                "The processes that read photos cannot start.",
                "Free some memory, or raise decode.memory_mb in the settings.",
            )
        worker.start_again()

    def _lose(self, worker: WorkerProcess, reason: ProblemReason, detail: str) -> None:
        job = worker.job
        worker.end()
        self._finish(worker, Refused(job.stamp, reason, detail))

    def _finish(self, worker: WorkerProcess, outcome: Outcome) -> None:
        self._waiting[worker.take()] = outcome
        while self._next in self._waiting:
            self._ready.put(self._waiting.pop(self._next))
            self._next += 1
