"""`photoapp folders`: the folders of the library; forgets them, and lost photos, on request."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.ingest.folders.forget import Forgotten, forget

NAME = "folders"
HELP = "list the folders of the library, or forget some; files on disk are never touched"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare what to forget."""
    grammar.add_argument(
        "--forget",
        metavar="DIR",
        nargs="+",
        type=path_word,
        default=[],
        help="forget these folders; what is known of their photos stays",
    )
    grammar.add_argument(
        "--purge",
        action="store_true",
        help="forget also every photo that no file holds any longer, with its judgements",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Forget what was asked for and list the folders that are left."""
    with opened_engine(options.library) as engine:
        asked = options.forget or options.purge
        done = (
            forget(engine.library, options.forget, terminal.progress, purge=options.purge)
            if asked
            else None
        )
        roots = engine.roots()
    if terminal.as_json:
        items = [{"path": str(path), "offline": offline} for path, offline in roots.items()]
        terminal.answer({"items": items, **_counts(done)})
        return ExitCode.DONE
    if done is not None:
        terminal.line(f"{done.files} files and {done.photos} photos were forgotten.")
    rows = [(str(path), "offline" if offline else "") for path, offline in roots.items()]
    if rows:
        terminal.table(("folder", ""), rows)
    else:
        terminal.line("The library has no folder.")
    return ExitCode.DONE


def _counts(done: Forgotten | None) -> dict[str, object]:
    if done is None:
        return {}
    return {"forgotten_files": done.files, "forgotten_photos": done.photos}
