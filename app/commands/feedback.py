"""`photoapp feedback QUERY_ID --right FILE… --wrong FILE…`: the user's word on an answer."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.domain.query import QueryId
from core.errors import InputError

NAME = "feedback"
HELP = "say which photos of an answer were right and which were wrong"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the query and the photos."""
    grammar.add_argument("query_id", metavar="QUERY_ID")
    grammar.add_argument("--right", metavar="FILE", nargs="+", type=path_word, default=[])
    grammar.add_argument("--wrong", metavar="FILE", nargs="+", type=path_word, default=[])


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Keep the judgements."""
    right, wrong = options.right, options.wrong
    if not right and not wrong:
        raise InputError("No photo was judged.", "Name files after --right or --wrong.")
    with opened_engine(options.library) as engine:
        engine.judge(QueryId(options.query_id), right, wrong)
    if terminal.as_json:
        terminal.answer({"query_id": options.query_id, "right": len(right), "wrong": len(wrong)})
    else:
        terminal.line(f"Kept: {len(right)} right, {len(wrong)} wrong.")
    return ExitCode.DONE
