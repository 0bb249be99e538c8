"""`photoapp undo`: take back what was decided last."""

import argparse

from app.commands.decision_words import decision_document, decision_text
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "undo"
HELP = "take back the newest decision that `photoapp decisions` lists"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Undo one decision and say which."""
    with opened_engine(options.library) as engine:
        decision = engine.undo(terminal.progress)
    if terminal.as_json:
        terminal.answer({"undone": None if decision is None else decision_document(decision)})
    elif decision is None:
        terminal.line("There is nothing to undo.")
    else:
        terminal.line(f"Taken back: {decision_text(decision.value)}.")
    return ExitCode.DONE
