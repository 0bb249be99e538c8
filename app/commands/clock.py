"""`photoapp clock [propose | shift]`: whose clock dated the photos, and corrections of it."""

import argparse
import shlex
from collections.abc import Sequence
from datetime import datetime

from app.commands.decision_words import decision_document, decision_text
from app.commands.documents import Document
from app.commands.measures import end_word, shift_text, shift_word, time_text, time_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import add_shared_options
from app.startup import opened_engine
from core.domain.contributor import ClockProposal, Contributor, Trust
from core.domain.decision import ClockShift
from core.domain.photo import Photo, PhotoId
from core.engine import Engine
from core.errors import NotInLibrary

NAME = "clock"
HELP = "list who took photos and when; propose or make corrections of a camera's clock"
_TRUST = {
    Trust.PHONE: "a phone's",
    Trust.WITH_GPS: "with GPS",
    Trust.WITH_OFFSETS: "tells its zone",
    Trust.BY_HAND: "set by hand",
}


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the actions; none lists contributors."""
    actions = grammar.add_subparsers(dest="action", metavar="propose | shift")
    told = "look for scenes that two devices photographed, and propose corrections"
    add_shared_options(actions.add_parser("propose", help=told, description=told))
    told = "add something to what a device recorded"
    shift = actions.add_parser("shift", help=told, description=told)
    add_shared_options(shift)
    shift.add_argument("--contributor", metavar="NAME", required=True, help="as listed")
    shift.add_argument("--by", metavar="±HH:MM[:SS]|±Nd", type=shift_word, required=True)
    shift.add_argument("--from", dest="first", metavar="TIME", type=time_word, help="as recorded")
    shift.add_argument("--to", dest="last", metavar="TIME", type=end_word, help="as recorded")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List, propose or shift."""
    with opened_engine(options.library) as engine:
        if options.action == "propose":
            return _propose(engine, terminal)
        if options.action == "shift":
            return _shift(engine, options, terminal)
        return _list(engine.contributors(), terminal)


def _list(contributors: Sequence[Contributor], terminal: Terminal) -> int:
    if terminal.as_json:
        terminal.answer({"items": [_contributor_document(one) for one in contributors]})
        return ExitCode.DONE
    if not contributors:
        terminal.line("There are no photos yet.")
        return ExitCode.DONE
    rows = [
        (
            one.name or "(unknown)",
            f"{one.photos:,}",
            ", ".join(one.devices),
            time_text(one.first),
            time_text(one.last),
            _TRUST[one.trust],
            f"{one.corrected:,}",
        )
        for one in contributors
    ]
    heads = ("contributor", "photos", "device", "recorded from", "to", "clock", "corrected")
    terminal.table(heads, rows)
    return ExitCode.DONE


def _contributor_document(one: Contributor) -> Document:
    return {
        "contributor": one.name,
        "photos": one.photos,
        "devices": list(one.devices),
        "first": time_text(one.first) or None,
        "last": time_text(one.last) or None,
        "clock": _TRUST[one.trust],
        "corrected": one.corrected,
    }


def _shift(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> int:
    first, last = _range(engine, options.contributor, options.first, options.last)
    value = ClockShift(options.contributor, first, last, options.by)
    decision = engine.decide(value, terminal.progress)
    photos = len(engine.reach(value))
    if terminal.as_json:
        terminal.answer({"photos": photos, "decisions": [decision_document(decision)]})
    else:
        terminal.line(f"{decision_text(value)} ({photos:,} photos)")
    return ExitCode.DONE


def _range(
    engine: Engine, name: str, first: datetime | None, last: datetime | None
) -> tuple[datetime, datetime]:
    """The range asked for; where it is open, up to the photos that there are."""
    found = next((one for one in engine.contributors() if one.name == name), None)
    if found is None or found.first is None or found.last is None:
        raise NotInLibrary(
            f"“{name}” took no photo with a time of its own.", "`photoapp clock` lists who did."
        )
    return first or found.first, last or found.last.replace(microsecond=999_999)


def _propose(engine: Engine, terminal: Terminal) -> int:
    proposals = engine.propose_shifts(terminal.progress)
    if terminal.as_json:
        ids = [i for p in proposals for pair in p.evidence for i in (pair.wrong, pair.right)]
        photos = {photo.id: photo for photo in engine.photos(list(dict.fromkeys(ids)))}
        terminal.answer({"items": [_proposal_document(p, photos) for p in proposals]})
        return ExitCode.DONE
    if not proposals:
        terminal.line("No clock seems wrong: no scenes of two devices agree on a difference.")
    for one in proposals:
        terminal.line(
            f"“{one.wrong}” from {time_text(one.first)} to {time_text(one.last)}: "
            f"{shift_text(one.shift)}, by {len(one.evidence)} scenes that “{one.right}” took too"
        )
        terminal.line(f"  {_command(one)}")
    return ExitCode.DONE


def _command(one: ClockProposal) -> str:
    """What makes the correction."""
    words = ["photoapp", "clock", "shift", "--contributor", one.wrong, "--by"]
    times = ["--from", time_text(one.first), "--to", time_text(one.last)]
    return shlex.join([*words, shift_text(one.shift), *times])


def _proposal_document(one: ClockProposal, photos: dict[PhotoId, Photo]) -> Document:
    return {
        "contributor": one.wrong,
        "right": one.right,
        "shift": shift_text(one.shift),
        "first": time_text(one.first),
        "last": time_text(one.last),
        "command": _command(one),
        "evidence": [
            {
                "wrong": str(photos[pair.wrong].path),
                "right": str(photos[pair.right].path),
                "apart": shift_text(pair.apart),
                "similarity": round(pair.similarity, 4),
            }
            for pair in one.evidence
        ],
    }
