"""`photoapp trash FILE…`: photos into the system's trash, after a question."""

import argparse
import signal
import sys

from app.commands.chosen import chosen_photos
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import WrongUsage, path_word
from app.startup import opened_engine
from core.errors import Cancelled
from core.export.trash import Trashing, files_to_trash

NAME = "trash"
HELP = "move photos and what belongs to them to the system's trash; nothing is deleted"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the photos."""
    grammar.add_argument("files", metavar="FILE", nargs="+", type=path_word)
    grammar.add_argument("--yes", action="store_true", help="do not ask")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Ask, move, and say what went; exit code 3 where some files were not there."""
    if not options.yes and (terminal.as_json or not sys.stdin.isatty()):
        raise WrongUsage(
            "Nobody is there to be asked; --yes does not ask.",
            "usage: photoapp trash FILE… --yes\n",
            "photoapp trash",
        )
    with opened_engine(options.library) as engine:
        ids = [photo.id for photo in chosen_photos(engine, options.files)]
        if not options.yes:
            _ask(files_to_trash(engine.library, ids), terminal)
        report = engine.trash(ids, terminal.progress)
    if terminal.as_json:
        files, absent = ([str(p) for p in paths] for paths in (report.files, report.absent))
        terminal.answer({"files": files, "absent": absent})
    else:
        for path in report.files:
            terminal.line(f"in the trash: {path}")
        for path in report.absent:
            terminal.line(f"not there now: {path}; it stays in the library")
    return ExitCode.DONE_WITH_PROBLEMS if report.absent else ExitCode.DONE


def _ask(asked: Trashing, terminal: Terminal) -> None:
    """Raise Cancelled unless the person says yes."""
    for path in asked.files:
        terminal.say(f"  {path}")
    files = "1 file" if len(asked.files) == 1 else f"{len(asked.files)} files"
    terminal.say(f"Move {files} to the trash? [y/N]")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it ends the question
    try:
        answer = sys.stdin.readline()
    finally:
        signal.signal(signal.SIGINT, before)
    if answer.strip().lower() not in ("y", "yes"):
        raise Cancelled
