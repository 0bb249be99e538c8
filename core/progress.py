"""Progress as an argument, cancellation as an exception."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from core.errors import Cancelled

_REPORT_INTERVAL_S = 0.1
_LOOK_AGAIN_S = 0.05
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProgressReport:
    """How far one stage has come; `total` is None where it is not known."""

    stage: str
    done: int
    total: int | None
    detail: str = ""


ProgressListener = Callable[[ProgressReport], None]


def ignore_report(report: ProgressReport) -> None:
    """Listen to nothing."""


@dataclass(slots=True)
class Progress:
    """What a long task reports to and asks whether it should stop; safe across threads."""

    listener: ProgressListener = ignore_report
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _last_report_at: dict[str, float] = field(default_factory=dict)

    def cancel(self) -> None:
        """Ask the task to stop at its next check."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether the task was asked to stop."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise `Cancelled` when the task was asked to stop."""
        if self._cancelled.is_set():
            raise Cancelled

    def silent(self) -> "Progress":
        """A progress that reports nothing and never waits, cancelled together with this one."""
        return Progress(_cancelled=self._cancelled)

    def report(self, stage: str, done: int, total: int | None = None, detail: str = "") -> None:
        """Report at most ten times a second a stage, the end always; raise `Cancelled` if asked."""
        self.check()
        now = time.monotonic()
        if done != total and now - self._last_report_at.get(stage, 0.0) < _REPORT_INTERVAL_S:
            return
        self._last_report_at[stage] = now
        self.listener(ProgressReport(stage, done, total, detail))

    def track(self, stage: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        """Yield the items, reporting as they are consumed; raise `Cancelled` when asked."""
        self.check()
        done = 0
        for done, item in enumerate(items, start=1):
            yield item
            self.report(stage, done, total)
        if done != total:
            self._last_report_at.pop(stage, None)
            self.report(stage, done, done)


@contextmanager
def turn(lock: threading.Lock, progress: Progress) -> Iterator[None]:
    """Hold a lock; raises `Cancelled` when asked to stop while waiting for it."""
    while not lock.acquire(timeout=_LOOK_AGAIN_S):
        progress.check()
    try:
        yield
    finally:
        lock.release()
