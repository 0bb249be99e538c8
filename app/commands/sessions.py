"""`photoapp sessions [split | join]`: the runs of photos that belong to one occasion."""

import argparse

from app.commands.chosen import chosen_photos
from app.commands.decision_words import decision_document
from app.commands.documents import session_document
from app.commands.fresh_sessions import bring_up_to_date
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import add_shared_options, path_word
from app.startup import opened_engine
from core.domain.decision import SessionsJoined, SessionStart
from core.engine import Engine
from core.errors import InputError

NAME = "sessions"
HELP = "list the sessions, and what split each from the one before; split and join them"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions; none lists."""
    actions = grammar.add_subparsers(dest="action", metavar="split | join")
    told = "let a session begin at a photo"
    split = actions.add_parser("split", help=told, description=told)
    split.add_argument("files", metavar="FILE", nargs=1, type=path_word)
    add_shared_options(split)
    told = "make the sessions of two photos one"
    join = actions.add_parser("join", help=told, description=told)
    join.add_argument("files", metavar="FILE", nargs=2, type=path_word)
    add_shared_options(join)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every session in order, or decide on some."""
    with opened_engine(options.library) as engine:
        if options.action is None:
            return _list(engine, terminal)
        return _decide(engine, options, terminal)


def _decide(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> int:
    ids = [photo.id for photo in chosen_photos(engine, options.files)]
    if len(ids) < len(options.files):
        raise InputError("Both files hold the same photo.", "Name photos of two sessions.")
    value = SessionsJoined(*ids) if options.action == "join" else SessionStart(*ids)
    decision = engine.decide(value, terminal.progress)
    sessions = len(engine.sessions())
    if terminal.as_json:
        terminal.answer({"sessions": sessions, "decisions": [decision_document(decision)]})
    else:
        terminal.line(f"There are {sessions:,} sessions now.")
    return ExitCode.DONE


def _list(engine: Engine, terminal: Terminal) -> int:
    bring_up_to_date(engine, terminal)
    sessions = engine.sessions()
    if terminal.as_json:
        ids = [photo_id for session in sessions for photo_id in session.photo_ids]
        paths = engine.library.photos.paths(ids)
        terminal.answer({"items": [session_document(s, paths) for s in sessions]})
        return ExitCode.DONE
    if not sessions:
        terminal.line("There are no sessions yet.")
        return ExitCode.DONE
    rows = [
        (str(s.id), s.start.iso, s.end.iso, str(len(s.photo_ids)), s.place, s.split.text)
        for s in sessions
    ]
    terminal.table(("id", "from", "to", "photos", "place", "begins after"), rows)
    return ExitCode.DONE
