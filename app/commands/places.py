"""`photoapp places [list | name | forget]`: the user's own names for places."""

import argparse

from app.commands.chosen import chosen_photos
from app.commands.decision_words import decision_document, decision_text
from app.commands.measures import km_word, point_text, point_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import add_shared_options, path_word
from app.startup import opened_engine
from core.domain.decision import DecisionValue, PlaceForgotten, PlaceNamed
from core.domain.place import GeoPoint
from core.engine import Engine
from core.errors import InputError

NAME = "places"
HELP = "list, give and forget your own names for places"
_USUAL_KM = 0.5


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions; none lists the names."""
    actions = grammar.add_subparsers(dest="action", metavar="list | name | forget")
    told = "list your own names, and how many photos lie there"
    add_shared_options(actions.add_parser("list", help=told, description=told))
    told = "give a place a name; searches know it at once"
    name = actions.add_parser("name", help=told, description=told)
    name.add_argument("name", metavar="NAME")
    where = name.add_mutually_exclusive_group(required=True)
    where.add_argument("--at", metavar="LAT,LON", type=point_word)
    where.add_argument("--photo", metavar="FILE", type=path_word, help="where this one was taken")
    name.add_argument(
        "--radius", metavar="KM", type=km_word, default=_USUAL_KM, help="default: 0.5"
    )
    add_shared_options(name)
    told = "let a name of yours hold no more"
    forget = actions.add_parser("forget", help=told, description=told)
    forget.add_argument("name", metavar="NAME")
    add_shared_options(forget)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List, name or forget."""
    with opened_engine(options.library) as engine:
        if options.action == "name":
            point = options.at or _point_of(engine, options)
            return _decide(engine, PlaceNamed(options.name, point, options.radius), terminal)
        if options.action == "forget":
            return _decide(engine, PlaceForgotten(options.name), terminal)
        return _list(engine, terminal)


def _point_of(engine: Engine, options: argparse.Namespace) -> GeoPoint:
    point = chosen_photos(engine, [options.photo])[0].facts.point
    if point is None:
        raise InputError(f"{options.photo} has no position.", "Give --at LAT,LON instead.")
    return point


def _decide(engine: Engine, value: DecisionValue, terminal: Terminal) -> int:
    decision = engine.decide(value, terminal.progress)
    photos = len(engine.reach(decision.value))
    if terminal.as_json:
        terminal.answer({"photos": photos, "decisions": [decision_document(decision)]})
    else:
        terminal.line(f"{decision_text(decision.value)} ({photos:,} photos)")
    return ExitCode.DONE


def _list(engine: Engine, terminal: Terminal) -> int:
    names = [(own, len(engine.reach(own))) for own in engine.loaded.own_places()]
    if terminal.as_json:
        items = [
            {
                "name": own.name,
                "latitude": own.point.latitude,
                "longitude": own.point.longitude,
                "radius_km": own.radius_km,
                "photos": photos,
            }
            for own, photos in names
        ]
        terminal.answer({"items": items})
    elif not names:
        terminal.line("You have named no place. Try `photoapp places name NAME --photo FILE`.")
    else:
        rows = [
            (own.name, point_text(own.point), f"{own.radius_km:g}", f"{photos:,}")
            for own, photos in names
        ]
        terminal.table(("name", "position", "radius in km", "photos"), rows)
    return ExitCode.DONE
