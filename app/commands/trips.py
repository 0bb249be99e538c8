"""`photoapp trips`: the runs of sessions away from home."""

import argparse

from app.commands.documents import trip_document
from app.commands.fresh_sessions import bring_up_to_date
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.ingest.sessions.home_periods import home_periods

NAME = "trips"
HELP = "list the trips, and what began each"
_NONE = "There are no trips: no sessions far from home."
_NO_HOME = "No home is known; `photoapp home set LAT,LON` says where it is."


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every trip in order."""
    with opened_engine(options.library) as engine:
        bring_up_to_date(engine, terminal)
        trips = engine.trips()
        if terminal.as_json:
            ids = [photo_id for trip in trips for photo_id in trip.photo_ids]
            paths = engine.library.photos.paths(ids)
            terminal.answer({"items": [trip_document(trip, paths) for trip in trips]})
            return ExitCode.DONE
        is_known = bool(home_periods(engine.library))
    if not trips:
        terminal.line(_NONE if is_known else f"{_NONE} {_NO_HOME}")
        return ExitCode.DONE
    rows = [
        (
            str(trip.id),
            trip.sessions[0].start.iso,
            trip.sessions[-1].end.iso,
            str(len(trip.sessions)),
            str(len(trip.photo_ids)),
            trip.place,
            trip.split.text,
        )
        for trip in trips
    ]
    terminal.table(("id", "from", "to", "sessions", "photos", "place", "begins after"), rows)
    return ExitCode.DONE
