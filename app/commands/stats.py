"""`photoapp stats`: what the library holds."""

import argparse
import dataclasses

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "stats"
HELP = "count what the library holds"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print counts, sizes and models."""
    with opened_engine(options.library) as engine:
        document = dataclasses.asdict(engine.stats())
    if terminal.as_json:
        terminal.answer(document)
        return ExitCode.DONE
    rows = [(name.replace("_", " "), _in_words(value)) for name, value in document.items()]
    terminal.table(("", ""), rows)
    return ExitCode.DONE


def _in_words(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{count} by {name}" for name, count in value.items()) or "none"
        case tuple():
            return ", ".join(str(item) for item in value) or "none"
        case int():
            return f"{value:,}"
        case _:
            return str(value) or "never"
