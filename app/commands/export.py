"""`photoapp export FILE… --to DIR`: copies for others, without what they say of you."""

import argparse

from app.commands.chosen import chosen_photos
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.export.copies import ExportOptions, ExportReport

NAME = "export"
HELP = "copy photos into a folder, without positions, serial numbers, owners, faces and thumbnails"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the photos and where they go."""
    grammar.add_argument("files", metavar="FILE", nargs="+", type=path_word)
    grammar.add_argument("--to", metavar="DIR", type=path_word, required=True)
    grammar.add_argument(
        "--keep-private", action="store_true", help="copy the very files, with all that they say"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Copy and report; exit code 3 where some photos could not be copied."""
    chosen = ExportOptions(keep_private=options.keep_private)
    with opened_engine(options.library) as engine:
        ids = [photo.id for photo in chosen_photos(engine, options.files)]
        report = engine.export(ids, options.to, chosen, terminal.progress)
    if terminal.as_json:
        terminal.answer(_document(report))
    else:
        _tell(report, terminal)
    return ExitCode.DONE_WITH_PROBLEMS if report.failed else ExitCode.DONE


def _document(report: ExportReport) -> dict[str, object]:
    return {
        "copies": [
            {"path": str(c.source), "copy": str(c.target), "note": c.note} for c in report.copies
        ],
        "failed": [{"path": str(f.source), "reason": f.reason} for f in report.failed],
    }


def _tell(report: ExportReport, terminal: Terminal) -> None:
    for copy in report.copies:
        terminal.line(f"{copy.target}" + (f" ({copy.note})" if copy.note else ""))
    for failed in report.failed:
        terminal.line(f"not copied: {failed.source}: {failed.reason}")
