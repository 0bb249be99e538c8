"""`photoapp duplicates`: copies, near-copies and bursts, told apart."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "duplicates"
HELP = "list exact duplicates, near-duplicates and bursts; nothing is deleted"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every group, the file to keep first."""
    with opened_engine(options.library) as engine:
        groups = engine.duplicates(terminal.progress)
    if terminal.as_json:
        items = [
            {
                "kind": group.kind,
                "best": str(group.best),
                "reason": group.reason,
                "photos": [str(file) for file in group.files],
            }
            for group in groups
        ]
        terminal.answer({"groups": items})
        return ExitCode.DONE
    if not groups:
        terminal.line("No duplicates were found.")
    for group in groups:
        terminal.line(f"{group.kind} (to keep: {group.reason}):")
        for file in group.files:
            terminal.line(f"  {'*' if file == group.best else ' '} {file}")
    return ExitCode.DONE
