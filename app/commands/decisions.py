"""`photoapp decisions`: everything that was decided by hand and that holds."""

import argparse

from app.commands.chosen import files_of
from app.commands.decision_words import decision_document, decision_text, photos_of
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "decisions"
HELP = "list what you decided by hand, oldest first; `photoapp undo` takes the last one back"

_SHOWN = 3
"""Files that are named of a decision on more."""


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every decision in its order."""
    with opened_engine(options.library) as engine:
        decisions = engine.decisions()
        files = [files_of(engine, photos_of(one.value), _SHOWN) for one in decisions]
    if terminal.as_json:
        pairs = zip(decisions, files, strict=True)
        items = [decision_document(one) | {"files": list(map(str, some))} for one, some in pairs]
        terminal.answer({"items": items})
        return ExitCode.DONE
    if not decisions:
        terminal.line("Nothing was decided by hand.")
        return ExitCode.DONE
    rows = [
        (
            str(one.id),
            one.made_at.astimezone().isoformat(" ", "minutes"),
            decision_text(one.value),
            ", ".join(path.name for path in some),
        )
        for one, some in zip(decisions, files, strict=True)
    ]
    terminal.table(("id", "decided at", "what", "files"), rows)
    return ExitCode.DONE
