"""`photoapp search [TEXT] [--image FILE]`: find photos by a description and a reference photo."""

import argparse

from app.commands.documents import PhotosById, composition_text, search_document, taken_text
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import count_word, path_word
from app.startup import opened_engine
from core.domain.answer import RankedPhoto, SearchAnswer
from core.domain.query import ComposedQuery, Polarity, ReferencePhoto
from core.domain.verdict import Verdict, VerdictState
from core.search.request import SearchOptions

NAME = "search"
HELP = "find photos by what they show, by a reference photo, or by a change to one"
STRATEGIES = ("hybrid", "oscar", "pdf", "embedding")
_SIGNS = {
    VerdictState.KEPT: "✓",
    VerdictState.CHANGED: "✗",
    VerdictState.ABSENT: "∅",
    VerdictState.UNSURE: "?",
}


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the query and how it is answered."""
    grammar.add_argument("text", metavar="TEXT", nargs="?", default="")
    grammar.add_argument("--image", metavar="FILE", type=path_word, help="the reference photo")
    grammar.add_argument("--strategy", choices=STRATEGIES, default="hybrid")
    grammar.add_argument("--top", metavar="N", type=count_word, default=20, help="photos to list")
    grammar.add_argument("--explain", action="store_true", help="show the plan and the trace")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Search and print the answer."""
    reference = ReferencePhoto(options.image) if options.image else None
    query = ComposedQuery(options.text, reference)
    with opened_engine(options.library) as engine:
        answer = engine.search(
            query, SearchOptions(options.strategy, options.top), terminal.progress
        )
        ids = [ranked.photo_id for ranked in answer.results]
        ids += [answer.near_miss.photo_id] if answer.near_miss else []
        photos = {photo.id: photo for photo in engine.photos(ids)}
    for event in answer.trace:
        if event.event == "models":
            terminal.say(event.detail)
    if terminal.as_json:
        terminal.answer(search_document(answer, photos))
    else:
        _tell(answer, photos, terminal)
        if options.explain:
            _explain(answer, terminal)
    return ExitCode.DONE


def _tell(answer: SearchAnswer, photos: PhotosById, terminal: Terminal) -> None:
    terminal.line("Understood: " + (_understood(answer) or "nothing but the photo"))
    if answer.abstained:
        terminal.line("Nothing matches.")
        if answer.near_miss:
            path = photos[answer.near_miss.photo_id].path
            terminal.line(f"Nearest: {path}; it fails: {', '.join(answer.near_miss.failed)}")
        return
    rows = [_row(ranked, photos) for ranked in answer.results]
    terminal.table(("", "taken", "photo", "conditions"), rows)
    terminal.line(f"Query {answer.query_id}, {answer.seconds.get('final', 0.0):.2f} s")


def _understood(answer: SearchAnswer) -> str:
    understanding = answer.understanding
    parts = [
        ("not " if c.polarity is Polarity.NEGATIVE else "") + c.text
        for c in understanding.conditions
    ]
    parts += [f.text for f in (understanding.when, understanding.where) if f]
    return " · ".join(dict.fromkeys(parts)) or understanding.target


def _row(ranked: RankedPhoto, photos: PhotosById) -> tuple[str, ...]:
    photo = photos[ranked.photo_id]
    rank = f"{ranked.rank}" + (" excluded" if ranked.excluded else "")
    verdicts = "  ".join(_verdict(verdict) for verdict in ranked.verdicts)
    return rank, taken_text(photo) or "", str(photo.path), verdicts


def _verdict(verdict: Verdict) -> str:
    minus = "not " if verdict.condition.polarity is Polarity.NEGATIVE else ""
    return f"{_SIGNS[verdict.state]} {minus}{verdict.condition.text}"


def _explain(answer: SearchAnswer, terminal: Terminal) -> None:
    plan = answer.trajectory
    if plan:
        terminal.line(f"Plan by {plan.planner}: {composition_text(plan.composition)}")
        rows = [
            (str(i), step.tool, step.polarity.value, step.query, str(step.top_k), str(found))
            for i, (step, found) in enumerate(zip(plan.steps, answer.found, strict=True), start=1)
        ]
        terminal.table(("step", "tool", "polarity", "query", "top", "found"), rows)
    terminal.table(("event", "detail"), [(e.event, e.detail) for e in answer.trace])
    stages = [(stage, f"{seconds:.3f}") for stage, seconds in answer.seconds.items()]
    terminal.table(("stage", "seconds"), stages)
