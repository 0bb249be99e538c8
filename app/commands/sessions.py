"""`photoapp sessions`: the runs of photos that belong to one occasion."""

import argparse

from app.commands.documents import session_document
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "sessions"
HELP = "list the sessions, and what split each from the one before"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every session in order."""
    with opened_engine(options.library) as engine:
        sessions = engine.sessions()
        ids = [photo_id for session in sessions for photo_id in session.photo_ids]
        photos = {photo.id: photo for photo in engine.photos(ids)}
    if terminal.as_json:
        terminal.answer({"items": [session_document(s, photos) for s in sessions]})
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
