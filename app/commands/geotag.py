"""`photoapp geotag TRACK.gpx [DIR…]`: positions for photos from a GPS track."""

import argparse
from datetime import timedelta

from app.commands.decision_words import decision_document
from app.commands.measures import offset_word, shift_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.domain.track import TrackMatch
from core.ingest.decisions.geotag import GeotagOptions

NAME = "geotag"
HELP = "give photos the positions of a GPX track by their times; files stay as they are"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the track, the photos and their clocks."""
    grammar.add_argument("track", metavar="TRACK.gpx", type=path_word)
    grammar.add_argument(
        "folders", metavar="DIR", nargs="*", type=path_word, help="photos in these alone"
    )
    grammar.add_argument(
        "--offset",
        metavar="±HH:MM",
        type=offset_word,
        help="the offset from UTC of cameras that do not tell theirs",
    )
    grammar.add_argument(
        "--clock-error",
        metavar="±HH:MM[:SS]",
        type=shift_word,
        default=timedelta(0),
        help="how much the cameras' clocks were ahead (+) or behind (-)",
    )
    grammar.add_argument(
        "--replace", action="store_true", help="also photos that have a position already"
    )
    grammar.add_argument(
        "--dry-run", action="store_true", help="say what would be done, and change nothing"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Match, then decide."""
    chosen = GeotagOptions(options.offset, options.clock_error, options.replace)
    decision = None
    with opened_engine(options.library) as engine:
        match = engine.match_track(options.track, options.folders, chosen, terminal.progress)
        if match.value is not None and not options.dry_run:
            decision = engine.decide(match.value, terminal.progress)
    if terminal.as_json:
        terminal.answer(
            {
                "placed": match.placed,
                "no_track_near": match.away,
                "no_known_time": match.undated,
                "have_a_position": match.placed_already,
                "decisions": [decision_document(decision)] if decision else [],
            }
        )
    else:
        _tell(match, terminal, "would get" if options.dry_run else "got")
    return ExitCode.DONE


def _tell(match: TrackMatch, terminal: Terminal, verb: str) -> None:
    terminal.line(f"{match.placed:,} photos {verb} a position from the track.")
    if match.away:
        terminal.line(f"{match.away:,} were taken when the track has no point near in time.")
    if match.undated:
        terminal.line(
            f"{match.undated:,} have no known time: none, a day alone, or a clock of unknown zone "
            "(give --offset)."
        )
    if match.placed_already:
        terminal.line(f"{match.placed_already:,} have a position already (--replace).")
