"""`photoapp sidecars FILE… --write`: what the library knows, beside the photos for others."""

import argparse

from app.commands.chosen import chosen_photos
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import WrongUsage, path_word
from app.startup import opened_engine
from core.engine import Engine
from core.export.sidecars import SidecarReport, sidecar_of

NAME = "sidecars"
HELP = "write titles, ratings, tags, faces, positions and dates into XMP files beside photos"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the photos; nothing is written unless asked for."""
    grammar.add_argument("files", metavar="FILE", nargs="*", type=path_word)
    grammar.add_argument("--all", action="store_true", help="of every photo of the library")
    grammar.add_argument(
        "--write", action="store_true", help="write them; without this they are only named"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Write sidecars, or name those that would be written."""
    if bool(options.files) == options.all:
        raise WrongUsage(
            "Name photos, or say --all.", "usage: photoapp sidecars (FILE… | --all)\n", "photoapp"
        )
    with opened_engine(options.library) as engine:
        if options.write:
            return _write(engine, options, terminal)
        return _name(engine, options, terminal)


def _write(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> int:
    ids = engine.library.photos.ids()
    if options.files:
        ids = [photo.id for photo in chosen_photos(engine, options.files)]
    report = engine.write_sidecars(ids, terminal.progress)
    if terminal.as_json:
        terminal.answer(_document(report))
    else:
        terminal.line(f"{len(report.written)} written, {report.unchanged} said all that already")
        for failed in report.failed:
            terminal.line(f"not written: {failed.source}: {failed.reason}")
    return ExitCode.DONE_WITH_PROBLEMS if report.failed else ExitCode.DONE


def _name(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> int:
    photos = (
        chosen_photos(engine, options.files)
        if options.files
        else engine.photos(engine.library.photos.ids())
    )
    paths = [sidecar_of(photo) for photo in photos]
    if terminal.as_json:
        terminal.answer({"sidecars": [str(path) for path in paths]})
        return ExitCode.DONE
    for path in paths:
        terminal.line(str(path))
    terminal.say("Nothing was written; add --write to write these files.")
    return ExitCode.DONE


def _document(report: SidecarReport) -> dict[str, object]:
    return {
        "written": [str(path) for path in report.written],
        "unchanged": report.unchanged,
        "failed": [{"path": str(f.source), "reason": f.reason} for f in report.failed],
    }
