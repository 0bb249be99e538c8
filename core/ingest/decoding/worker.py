"""The main function of a decoding process: one job at a time, within limits, never an orphan."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait

from core.domain.photo import ContentHash
from core.errors import PhotoAppError
from core.ingest.decoding.decode import IsKnown, decode_file
from core.ingest.decoding.jobs import DecodeJob, DecodeLimits, Outcome
from core.ingest.decoding.pixels import prepare_decoders

DecodeFunction = Callable[[DecodeJob, DecodeLimits, IsKnown], Outcome]
PATIENCE = 4.0
"""A decoder may take so many times its limit where it gets no processor time: others are busy."""

_NICENESS = 10


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started and waits for jobs."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """The process asks whether this content is known; it waits for True or False."""

    content_hash: ContentHash


Message = Ready | Hashed | Outcome | PhotoAppError


def serve(
    connection: Connection, limits: DecodeLimits, decode: DecodeFunction = decode_file
) -> None:
    """Answer jobs until the connection closes; runs in a process of its own."""
    _confine(limits)
    prepare_decoders()
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def is_known(content_hash: ContentHash) -> bool:
        connection.send(Hashed(content_hash))
        return bool(connection.recv())

    try:
        connection.send(Ready())
        _answer_jobs(connection, limits, decode, is_known)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent is gone or has closed its end


def _answer_jobs(
    connection: Connection, limits: DecodeLimits, decode: DecodeFunction, is_known: IsKnown
) -> None:
    spent = 0.0
    while True:
        job: DecodeJob = connection.recv()
        _set_alarm(limits.seconds_for(job.stamp.size) * PATIENCE + 5)
        answer: Message
        try:
            outcome = decode(job, limits, is_known)
            now = time.process_time()
            answer, spent = replace(outcome, cpu_seconds=now - spent), now
        except PhotoAppError as error:
            answer = type(error)(error.message, error.advice)
        _set_alarm(0)
        connection.send(answer)


def _confine(limits: DecodeLimits) -> None:
    """Little priority, bounded memory, no core dumps, no noise, deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    _silence_stderr()
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    os.nice(_NICENESS)  # decoding fills the gaps that the encoder and the window leave
    memory = limits.memory_mb * 1_000_000
    for kind, amount in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(kind, (amount, amount))
        except (ValueError, OSError):  # macOS bounds no address space
            continue


def _silence_stderr() -> None:
    """C decoders write warnings of damaged files there; what counts comes back as an outcome."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _set_alarm(seconds: float) -> None:
    """The kernel ends a process whose decoder hangs, also when the parent can no longer."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
