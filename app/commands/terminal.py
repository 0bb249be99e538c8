"""What a command shows: answers on standard output, progress and messages on standard error."""

import contextlib
import io
import json
import os
import shutil
import signal
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, TextIO

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from core.errors import Cancelled, PhotoAppError
from core.progress import Progress, ProgressReport, ignore_report

SCHEMA = 1
_WIDE = 100_000
"""Columns of an output that is no screen: nothing is folded there."""

_JOINERS = "\t\u200c\u200d"
"""Invisible characters that names are written with; `\u200d` joins emoji."""


class OutputLost(PhotoAppError):
    """What was to be printed could not be written."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command writes, and the progress that it passes on."""

    as_json: bool
    stream: TextIO
    output: Console
    messages: Console
    progress: Progress
    bars: Bars | None

    @classmethod
    def make(cls, *, as_json: bool, quiet: bool) -> "Terminal":
        """A terminal; progress bars only where standard error is a person's screen."""
        stream, errors = _forgiving(sys.stdout), _forgiving(sys.stderr)
        is_screen = stream.isatty()
        width = shutil.get_terminal_size().columns if is_screen else _WIDE
        output = Console(file=io.StringIO(), highlight=False, width=width, force_terminal=is_screen)
        messages = Console(file=errors, highlight=False, soft_wrap=True)
        if quiet or not errors.isatty():
            return cls(as_json, stream, output, messages, Progress(ignore_report), None)
        bars = Bars(
            TextColumn("{task.description:>10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=messages,
            transient=True,
        )
        return cls(as_json, stream, output, messages, Progress(_BarListener(bars)), bars)

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
        """Print one JSON object, the schema number first; escaped where the bytes of a file's
        name, or the encoding of the output, allow nothing else."""
        whole = {"schema": SCHEMA, **document}
        text = json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False)
        if not _is_encodable(text, self.stream.encoding or "utf-8"):
            text = json.dumps(whole, indent=1, allow_nan=False)
        self._write(f"{text}\n")

    def line(self, text: str) -> None:
        """Print one line of an answer; text is data and never markup."""
        self._print(Text(_printable(text)))

    def lines(self, text: str) -> None:
        """Print a text of several lines as it is."""
        for line in text.splitlines():
            self.line(line)

    def table(self, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
        """Print rows under headings, in full where the output is a file."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(Text(_printable(cell)) for cell in row))
        self._print(table)

    def say(self, text: str) -> None:
        """Tell the person something, on standard error."""
        self.messages.print(Text(_printable(text)))

    def fail(self, error: PhotoAppError) -> None:
        """Tell of a known error: what happened and what to do."""
        if self.as_json:
            told = {"kind": error.kind, "message": error.message, "advice": error.advice}
            self.answer({"error": told})
        self.say(f"photoapp: {error.message} {error.advice}".strip())

    def cancelled(self) -> None:
        """Tell that the task was stopped by the user."""
        message, advice = "Cancelled.", "What was done so far is kept."
        if self.as_json:
            told = {"kind": Cancelled.__name__, "message": message, "advice": advice}
            self.answer({"error": told})
        self.say(f"{message} {advice}")

    def hide_progress(self) -> None:
        """Show no bars from now on."""
        if self.bars is not None:
            self.bars.stop()

    def flush(self) -> None:
        """Write out what is left; raises BrokenPipeError, OutputLost."""
        self._write("")

    def drop_output(self) -> None:
        """Write no more to standard output, not even what is left when the process ends."""
        with contextlib.suppress(OSError, ValueError):  # it may have no file, as in tests
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())
            os.close(nowhere)

    def _print(self, shown: RenderableType) -> None:
        """Render first and write after: rich would end the process at a broken pipe."""
        page = io.StringIO()
        self.output.file = page
        self.output.print(shown)
        self._write("".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines()))

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(
                f"The answer cannot be written: {error.strerror}.", "Look where it is sent to."
            ) from error


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
    """Text without what could steer a terminal: controls, reversals, broken surrogates."""
    return "".join(c if _is_harmless(c) else "\N{REPLACEMENT CHARACTER}" for c in text)


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"


def _is_encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _forgiving(stream: TextIO | None) -> TextIO:
    """The stream, which shows signs that its encoding lacks as question marks; never closed."""
    if stream is None:  # the process was started without it
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream
