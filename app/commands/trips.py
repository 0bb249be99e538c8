"""`photoapp trips`: the runs of sessions away from home."""

import argparse

from app.commands.documents import trip_document
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine

NAME = "trips"
HELP = "list the trips, and what began each"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List every trip in order."""
    with opened_engine(options.library) as engine:
        trips = engine.trips()
        ids = [photo_id for trip in trips for photo_id in trip.photo_ids]
        photos = {photo.id: photo for photo in engine.photos(ids)}
    if terminal.as_json:
        terminal.answer({"items": [trip_document(trip, photos) for trip in trips]})
        return ExitCode.DONE
    if not trips:
        terminal.line("There are no trips: no sessions far from home.")
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
