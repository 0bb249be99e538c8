"""`photoapp problems`: the files that are not in the library, and why."""

import argparse

from app.commands.documents import problem_document
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.ingest.folders.retry import retry_options

NAME = "problems"
HELP = "list every file that could not be taken into the library, and why"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the other try."""
    grammar.add_argument(
        "--retry", action="store_true", help="read these files again before they are listed"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every problem by path."""
    with opened_engine(options.library) as engine:
        again = retry_options(engine.library) if options.retry else None
        if again is not None:
            report = engine.index([], terminal.progress, again)
            terminal.say(f"{report.added + report.changed} of them are in the library now.")
        problems = engine.problems()
    if terminal.as_json:
        terminal.answer({"items": [problem_document(problem) for problem in problems]})
        return ExitCode.DONE
    if not problems:
        terminal.line("No file has a problem.")
        return ExitCode.DONE
    rows = [(p.reason.value.replace("_", " "), str(p.path), p.detail) for p in problems]
    terminal.table(("reason", "file", "detail"), rows)
    return ExitCode.DONE
