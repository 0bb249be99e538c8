"""What a command shows: answers on standard output, progress and messages on standard error."""

import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from core.errors import PhotoAppError
from core.progress import Progress, ProgressReport, ignore_report

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command writes, and the progress that it passes on."""

    as_json: bool
    output: Console
    messages: Console
    progress: Progress
    bars: Bars | None

    @classmethod
    def make(cls, *, as_json: bool, quiet: bool) -> "Terminal":
        """A terminal; progress bars only where standard error is a person's screen."""
        output = Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())
        messages = Console(file=sys.stderr, highlight=False, soft_wrap=True)
        if quiet or not sys.stderr.isatty():
            return cls(as_json, output, messages, Progress(ignore_report), None)
        bars = Bars(
            TextColumn("{task.description:>10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=messages,
            transient=True,
        )
        return cls(as_json, output, messages, Progress(_BarListener(bars)), bars)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C asks the task to stop at a safe point; a second one stops at once."""

        def interrupt(_signal: int, _frame: FrameType | None) -> None:
            if self.progress.cancelled:
                raise KeyboardInterrupt
            self.progress.cancel()

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            if self.bars is None:
                yield
            else:
                with self.bars:
                    yield
        finally:
            signal.signal(signal.SIGINT, before)

    def answer(self, document: dict[str, Any]) -> None:
        """Print one JSON object, the schema number first."""
        json.dump({"schema": SCHEMA, **document}, sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")

    def line(self, text: str) -> None:
        """Print one line of an answer; text is data and never markup."""
        self.output.print(Text(_printable(text)))

    def table(self, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
        """Print rows under headings, in full where the output is a file."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(Text(_printable(cell)) for cell in row))
        self.output.print(table)

    def say(self, text: str) -> None:
        """Tell the person something, on standard error."""
        self.messages.print(Text(_printable(text)))

    def fail(self, error: PhotoAppError) -> None:
        """Tell of a known error: what happened and what to do."""
        if self.as_json:
            told = {"kind": error.kind, "message": error.message, "advice": error.advice}
            self.answer({"error": told})
        self.say(f"photoapp: {error.message} {error.advice}".strip())


class _BarListener:
    """One bar a stage, made when the stage first reports."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, Any] = {}

    def __call__(self, report: ProgressReport) -> None:
        if report.stage not in self._tasks:
            self._tasks[report.stage] = self._bars.add_task(report.stage, total=report.total)
        self._bars.update(self._tasks[report.stage], completed=report.done, total=report.total)


def _printable(text: str) -> str:
    """Text without control characters or broken surrogates, which could steer a terminal."""
    clean = "".join(
        c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return clean.encode("utf-8", "replace").decode("utf-8")
