"""`photoapp decisions`: everything that was decided by hand and that holds."""

import argparse

from app.commands.decision_words import decision_document, decision_text
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "decisions"
HELP = "list what you decided by hand, oldest first; `photoapp undo` takes the last one back"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every decision in its order."""
    with opened_engine(options.library) as engine:
        decisions = engine.decisions()
    if terminal.as_json:
        terminal.answer({"items": [decision_document(decision) for decision in decisions]})
        return ExitCode.DONE
    if not decisions:
        terminal.line("Nothing was decided by hand.")
        return ExitCode.DONE
    rows = [
        (str(one.id), one.made_at.astimezone().isoformat(" ", "minutes"), decision_text(one.value))
        for one in decisions
    ]
    terminal.table(("id", "decided at", "what"), rows)
    return ExitCode.DONE
