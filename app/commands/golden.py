"""`photoapp golden …`: the library of optimal trajectories; this version has none yet."""

import argparse

from app.commands.terminal import Terminal
from core.errors import InputError

NAME = "golden"
HELP = "optimal search plans learned from your judgements (not in this version)"
_ACTIONS = ("build", "show", "export", "import", "forget")


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions."""
    grammar.add_argument("action", choices=_ACTIONS)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Say that it is not there yet; judgements are kept for it meanwhile."""
    raise InputError(
        "The golden library is not in this version.",
        "Judgements given with `photoapp feedback` are kept and will build it.",
    )
