"""`photoapp story TEXT`: compose photos that belong together into a story."""

import argparse
import re

from app.commands.documents import PhotosById, place_text, story_document, taken_text
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.domain.story import Bundle, StoryAnswer, StoryBrief
from core.story.options import StoryOptions

NAME = "story"
HELP = "compose three to five photos that tell what you describe, in order, each with a role"
STRATEGIES = ("weaver", "exact")
SIZE_LIMIT = 12


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the brief and how it is composed."""
    grammar.add_argument("text", metavar="TEXT")
    grammar.add_argument(
        "--size", metavar="MIN-MAX", type=_size, default=(3, 5), help="how many photos (3-5)"
    )
    grammar.add_argument("--strategy", choices=STRATEGIES, default="weaver")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError("write it like 3-5")
    smallest, largest = int(match[1]), int(match[2] or match[1])
    if not 2 <= smallest <= largest <= SIZE_LIMIT:
        raise argparse.ArgumentTypeError(f"must lie between 2 and {SIZE_LIMIT}, smallest first")
    return smallest, largest


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Compose and print the bundles, best first."""
    brief = StoryBrief(options.text, *options.size)
    with opened_engine(options.library) as engine:
        answer = engine.compose_story(brief, StoryOptions(options.strategy), terminal.progress)
        ids = {member.photo_id for bundle in answer.bundles for member in bundle.photos}
        photos = {photo.id: photo for photo in engine.photos(sorted(ids))}
    if terminal.as_json:
        terminal.answer(story_document(answer, photos))
    else:
        _tell(answer, photos, terminal)
    return ExitCode.DONE


def _tell(answer: StoryAnswer, photos: PhotosById, terminal: Terminal) -> None:
    if not answer.bundles:
        terminal.line("No story could be composed.")
        for event in answer.trace:
            terminal.line(f"  {event.event}: {event.detail}")
    for bundle in answer.bundles:
        _tell_bundle(bundle, photos, terminal)


def _tell_bundle(bundle: Bundle, photos: PhotosById, terminal: Terminal) -> None:
    terminal.line(f"{bundle.title} ({bundle.score:.1f} of 10)")
    rows = [
        (
            member.role,
            taken_text(photos[member.photo_id]) or "",
            place_text(photos[member.photo_id]) or "",
            str(photos[member.photo_id].path),
        )
        for member in bundle.photos
    ]
    terminal.table(("role", "taken", "place", "photo"), rows)
    terminal.line("  " + "; ".join(check.text for check in bundle.checks))
