"""`photoapp edit FILE…`: title, rating, tags, kind, contributor and position by hand."""

import argparse
from collections.abc import Iterator, Sequence

from app.commands.chosen import chosen_photos
from app.commands.decision_words import decision_document, decision_text
from app.commands.measures import point_word, rating_word
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import opened_engine
from core.domain.decision import (
    ContributorSet,
    DecisionValue,
    Geotag,
    KindSet,
    RatingSet,
    TagsSet,
    TitleSet,
)
from core.domain.photo import Photo, PhotoId, PhotoKind
from core.domain.tag import BETWEEN_LEVELS, Tag, TagKind, TagSource
from core.errors import InputError

NAME = "edit"
HELP = "give photos a title, rating, tags, kind, contributor or position; files stay as they are"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the photos and what they get."""
    grammar.add_argument("files", metavar="FILE", nargs="+", type=path_word)
    grammar.add_argument("--title", metavar="TEXT", help='"" takes the title away')
    grammar.add_argument("--rating", metavar="N", type=rating_word, help="0 to 5, -1: rejected")
    grammar.add_argument(
        "--add-tag", metavar="WORD", action="append", default=[], help="levels: Animals|Cats"
    )
    grammar.add_argument("--remove-tag", metavar="WORD", action="append", default=[])
    grammar.add_argument(
        "--person", metavar="NAME", action="append", default=[], help="someone in the photo"
    )
    grammar.add_argument("--kind", choices=[kind.value for kind in PhotoKind])
    grammar.add_argument("--contributor", metavar="NAME", help="who or what took it")
    grammar.add_argument("--at", metavar="LAT,LON", type=point_word, help="where it was taken")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Decide one thing after the other."""
    with opened_engine(options.library) as engine:
        photos = chosen_photos(engine, options.files)
        values = list(_values(options, photos))
        if not values:
            raise InputError("Nothing was changed.", "Say what: --title, --rating, --add-tag, …")
        decisions = [engine.decide(value, terminal.progress) for value in values]
    if terminal.as_json:
        documents = [decision_document(decision) for decision in decisions]
        terminal.answer({"photos": len(photos), "decisions": documents})
        return ExitCode.DONE
    for decision in decisions:
        terminal.line(decision_text(decision.value))
    terminal.say("`photoapp undo` takes the last one back.")
    return ExitCode.DONE


def _values(options: argparse.Namespace, photos: Sequence[Photo]) -> Iterator[DecisionValue]:
    """What is to be decided; what may be refused comes first, so that all or nothing is."""
    ids = tuple(photo.id for photo in photos)
    if options.contributor is not None:
        yield ContributorSet(ids, options.contributor)
    yield from _tag_values(options, photos, ids)
    if options.title is not None:
        yield TitleSet(ids, options.title)
    if options.rating is not None:
        yield RatingSet(ids, options.rating)
    if options.kind is not None:
        yield KindSet(ids, PhotoKind(options.kind))
    if options.at is not None:
        yield Geotag(tuple((photo_id, options.at) for photo_id in ids))


def _tag_values(
    options: argparse.Namespace, photos: Sequence[Photo], ids: tuple[PhotoId, ...]
) -> Iterator[TagsSet]:
    added = [_tag(TagKind.KEYWORD, word) for word in options.add_tag]
    added += [_tag(TagKind.PERSON, name) for name in options.person]
    removed = [tag for word in options.remove_tag for tag in _named(word, photos)]
    if added or removed:
        yield TagsSet(ids, tuple(added), tuple(dict.fromkeys(removed)))


def _tag(kind: TagKind, word: str) -> Tag:
    return Tag(kind, tuple(word.split(BETWEEN_LEVELS)), TagSource.HAND)


def _named(word: str, photos: Sequence[Photo]) -> list[Tag]:
    """The tags of the photos that have this name or text, whatever they are."""
    tags = [tag for photo in photos for tag in photo.facts.tags]
    found = [tag for tag in tags if word.casefold() in (tag.name.casefold(), tag.text.casefold())]
    if not found:
        names = ", ".join(sorted({tag.text for tag in tags})) or "none"
        raise InputError(f"No such photo has the tag “{word}”.", f"Their tags: {names}.")
    return found
