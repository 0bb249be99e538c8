"""`photoapp home [show | set]`: where home is, and since when; trips are what is far from it."""

import argparse

from app.commands.decision_words import decision_document, decision_text
from app.commands.documents import Document
from app.commands.measures import date_word, point_text, point_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import add_shared_options
from app.startup import opened_engine
from core.domain.decision import HomeSet
from core.domain.home_period import HomePeriod
from core.engine import Engine
from core.ingest.sessions.home_periods import home_periods

NAME = "home"
HELP = "show or set where home is, also for a time; trips are what is far from it"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions; none shows."""
    actions = grammar.add_subparsers(dest="action", metavar="show | set")
    told = "show the homes that you set, and those that were found"
    add_shared_options(actions.add_parser("show", help=told, description=told))
    told = "say where home is; trips are made again"
    grammar = actions.add_parser("set", help=told, description=told)
    grammar.add_argument("point", metavar="LAT,LON", type=point_word)
    grammar.add_argument("--from", dest="first", metavar="DATE", type=date_word)
    grammar.add_argument("--to", dest="last", metavar="DATE", type=date_word)
    add_shared_options(grammar)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Show or set."""
    with opened_engine(options.library) as engine:
        if options.action == "set":
            return _set(engine, HomeSet(options.point, options.first, options.last), terminal)
        return _show(engine, terminal)


def _set(engine: Engine, value: HomeSet, terminal: Terminal) -> int:
    decision = engine.decide(value, terminal.progress)
    trips = len(engine.trips())
    if terminal.as_json:
        terminal.answer({"trips": trips, "decisions": [decision_document(decision)]})
    else:
        terminal.line(f"{decision_text(value)} ({trips:,} trips)")
    return ExitCode.DONE


def _show(engine: Engine, terminal: Terminal) -> int:
    homes = home_periods(engine.library)
    names = [
        place.text for place in engine.loaded.gazetteer().nearest([home.point for home in homes])
    ]
    if terminal.as_json:
        pairs = zip(homes, names, strict=True)
        terminal.answer({"items": [_document(home, name) for home, name in pairs]})
    elif not homes:
        terminal.line("No home is known: you set none, and photos do not tell one.")
    else:
        rows = [
            (
                point_text(home.point),
                name,
                home.first.isoformat() if home.first else "ever",
                home.last.isoformat() if home.last else "now",
                "set by you" if home.by_hand else "found",
            )
            for home, name in zip(homes, names, strict=True)
        ]
        terminal.table(("position", "near", "from", "to", ""), rows)
    return ExitCode.DONE


def _document(home: HomePeriod, name: str) -> Document:
    return {
        "latitude": home.point.latitude,
        "longitude": home.point.longitude,
        "near": name,
        "first": home.first.isoformat() if home.first else None,
        "last": home.last.isoformat() if home.last else None,
        "by_hand": home.by_hand,
    }
