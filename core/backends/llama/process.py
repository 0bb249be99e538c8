"""The application's side of a model's process: starts it, asks it, survives its death."""

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from core.backends.llama.wire import Message, receive, send
from core.errors import ModelCorrupt, ModelCrashed, ModelError, ModelMissing
from core.progress import Progress

_TICK_S = 0.05
_PARTING_S = 1.0
_FAILURES: dict[str, type[ModelError]] = {"missing": ModelMissing, "corrupt": ModelCorrupt}
_ILLEGAL_INSTRUCTION = (-signal.SIGILL, 0xC000001D)

Serve = Callable[[Connection, Any], None]
TextListener = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Seconds to load and to answer, and crashes in a row after which it stays down."""

    start_s: float = 300.0
    answer_s: float = 120.0
    crashes: int = 3


class ModelProcess:
    """One child process that runs a model: started when first asked and again after a crash.

    `serve(pipe, order)` runs in the child; `prepare` gives the order at every start and may raise.
    Safe across threads: requests wait for each other.
    """

    def __init__(
        self,
        name: str,
        serve: Serve,
        prepare: Callable[[Progress], object],
        limits: ProcessLimits | None = None,
    ) -> None:
        self._name = name
        self._serve = serve
        self._prepare = prepare
        self._limits = limits or ProcessLimits()
        self._turns = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._asked = 0
        self._crashes = 0
        self._deadline = 0.0

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._process.pid if self._process else None

    def ask(self, request: Message, progress: Progress, on_text: TextListener) -> Any:
        """The child's answer; `on_text` gets each piece of text on the way.

        Raises ModelCrashed when the child dies or takes too long, ModelMissing, ModelCorrupt,
        ModelError when it refuses, Cancelled. The next request starts a new child where needed.
        """
        with self._turn(progress):
            pipe = self._pipe or self._start(progress)
            self._asked += 1
            self._deadline = max(self._deadline, time.monotonic() + self._limits.answer_s)
            try:
                self._send(pipe, {**request, "id": self._asked})
                return self._answer(pipe, progress, on_text)
            finally:
                # Stops an answer that nobody waits for any more; an idle child ignores it.
                with suppress(OSError):
                    send(pipe, {"do": "cancel"})

    def close(self) -> None:
        """End the child, whatever it does, and forget its crashes; it may be asked again."""
        if process := self._process:
            process.kill()
        with self._turns:
            self._stop()
            self._crashes = 0

    @contextmanager
    def _turn(self, progress: Progress) -> Iterator[None]:
        progress.check()
        while not self._turns.acquire(timeout=_TICK_S):
            progress.check()
        try:
            yield
        finally:
            self._turns.release()

    def _start(self, progress: Progress) -> Connection:
        """A new child, still loading; `daemon` makes it end with the application."""
        if self._crashes >= self._limits.crashes:
            raise ModelCrashed(
                f"{self._name} crashed {self._crashes} times in a row and stays down.",
                "Choose another model, or restart the application to try again.",
            )
        order = self._prepare(progress)
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs, order), daemon=True)
        process.start()
        theirs.close()
        self._process, self._pipe = process, pipe
        self._deadline = time.monotonic() + self._limits.start_s
        return pipe

    def _answer(self, pipe: Connection, progress: Progress, on_text: TextListener) -> Any:
        """Read replies up to the one that settles the last request; older ones are stale."""
        while True:
            match self._reply(pipe, progress):
                case {"is": "ready"}:
                    self._deadline = time.monotonic() + self._limits.answer_s
                case {"is": "unusable", "why": why, "message": message}:
                    self._stop()
                    failure = _FAILURES.get(why, ModelCorrupt)
                    raise failure(f"{self._name}: {message}", "Install it again.")
                case {"is": "text", "id": self._asked, "text": text}:
                    on_text(text)
                case {"is": "answer", "id": self._asked, "value": value}:
                    self._crashes = 0
                    return value
                case {"is": "refusal", "id": self._asked, "message": message}:
                    raise ModelError(f"{self._name}: {message}", "Ask for less, or otherwise.")

    def _reply(self, pipe: Connection, progress: Progress) -> Message:
        try:
            while not pipe.poll(_TICK_S):
                progress.check()
                if time.monotonic() > self._deadline:
                    raise self._crashed("did not answer in time")
            return receive(pipe)
        except (EOFError, OSError, ValueError) as error:
            raise self._crashed("crashed") from error

    def _send(self, pipe: Connection, message: Message) -> None:
        try:
            send(pipe, message)
        except OSError as error:
            raise self._crashed("crashed") from error

    def _crashed(self, what: str) -> ModelCrashed:
        self._crashes += 1
        if self._stop() in _ILLEGAL_INSTRUCTION:
            return ModelCrashed(
                f"{self._name} uses instructions that this processor lacks.",
                "Build llama-cpp-python again with CMAKE_ARGS=-DGGML_NATIVE=OFF, without a cache.",
            )
        return ModelCrashed(f"{self._name} {what}.", "Try again; it is started anew.")

    def _stop(self) -> int | None:
        """End the child and tell its exit code, negative for a signal."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if pipe:
            pipe.close()
        if not process:
            return None
        process.join(_PARTING_S)
        process.kill()
        process.join()
        return process.exitcode
