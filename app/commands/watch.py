"""`photoapp index DIR… --watch`: one line for each batch of changes, until Ctrl-C."""

import argparse
from datetime import datetime
from typing import NoReturn

from app.commands.report_words import tell_report
from app.commands.terminal import Terminal
from app.commands.words import WrongUsage
from app.startup import opened_engine
from core.domain.report import IndexReport
from core.errors import PhotoAppError
from core.ingest.watching.watch import WatchEvent
from core.ingest.watching.watcher import Polled


def watch(options: argparse.Namespace, terminal: Terminal) -> NoReturn:
    """Watch folders; raises Cancelled at Ctrl-C, WrongUsage where JSON is wanted."""
    if terminal.as_json:
        raise WrongUsage(
            "--watch goes on for ever, and --json promises one object.",
            "usage: photoapp index DIR… --watch\n",
            "photoapp index",
        )
    teller = _Teller(terminal)
    with opened_engine(options.library) as engine:
        engine.watch(options.folders, teller.tell, terminal.progress)
    raise AssertionError("watching ends by being cancelled")


class _Teller:
    """Says in full what the first look found, and then a line a batch."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._has_looked = False

    def tell(self, event: WatchEvent) -> None:
        """Say what a person should know of an event."""
        match event:
            case IndexReport() if not self._has_looked:
                self._has_looked = True
                tell_report(event, self._terminal)
                self._terminal.hide_progress()
                self._terminal.say("Watching for changes; Ctrl-C ends it.")
            case IndexReport() if event.touched or event.offline:
                self._terminal.line(_line(event))
            case Polled(root, why, seconds):
                self._terminal.say(f"{root} is looked at every {seconds:g} s: {why.value}.")
            case PhotoAppError():
                self._terminal.say(f"{event.message} {event.advice} It is tried again soon.")


def _line(report: IndexReport) -> str:
    parts = [
        f"{count} {word}"
        for count, word in (
            (report.added, "added"),
            (report.changed, "changed"),
            (report.removed, "removed"),
            (len(report.offline), "folders offline"),
        )
        if count
    ]
    return f"{datetime.now():%H:%M:%S} {', '.join(parts) or f'{report.embedded} looked at'}"
