"""`photoapp problems`: the files that are not in the library, and why."""

import argparse

from app.commands.documents import problem_document
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "problems"
HELP = "list every file that could not be taken into the library, and why"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every problem by path."""
    with opened_engine(options.library) as engine:
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
