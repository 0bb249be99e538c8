"""`photoapp home [show | set]`: where home is, and since when; trips are what is far from it."""

import argparse
from collections.abc import Sequence

from app.commands.decision_words import decision_document, decision_text
from app.commands.measures import date_word, point_text, point_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import add_shared_options
from app.startup import opened_engine
from core.domain.decision import HomeSet
from core.engine import Engine

NAME = "home"
HELP = "show or set where home is, also for a time; trips are what is far from it"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions; none shows."""
    actions = grammar.add_subparsers(dest="action", metavar="show | set")
    told = "show the homes that you set"
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
        homes = [one.value for one in engine.decisions() if isinstance(one.value, HomeSet)]
        return _show(homes, terminal)


def _set(engine: Engine, value: HomeSet, terminal: Terminal) -> int:
    decision = engine.decide(value, terminal.progress)
    trips = len(engine.trips())
    if terminal.as_json:
        terminal.answer({"trips": trips, "decisions": [decision_document(decision)]})
    else:
        terminal.line(f"{decision_text(value)} ({trips:,} trips)")
    return ExitCode.DONE


def _show(homes: Sequence[HomeSet], terminal: Terminal) -> int:
    if terminal.as_json:
        items = [
            {
                "latitude": home.point.latitude,
                "longitude": home.point.longitude,
                "first": home.first.isoformat() if home.first else None,
                "last": home.last.isoformat() if home.last else None,
            }
            for home in homes
        ]
        terminal.answer({"items": items})
    elif not homes:
        terminal.line("You have set no home; it is found from where most photos are taken.")
    else:
        rows = [
            (
                point_text(home.point),
                home.first.isoformat() if home.first else "ever",
                home.last.isoformat() if home.last else "now",
            )
            for home in homes
        ]
        terminal.table(("position", "from", "to"), rows)
    return ExitCode.DONE
