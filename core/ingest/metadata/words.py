"""Words that a file, a sidecar or a service says of a photo, made into tags without repeats.

A path of words whose root says so ("People", "Orte", …) names a person, a place, an event or an
album; any other is a keyword. A word alone that ends a path too is that path's tag. What programs
keep for themselves among the words is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.domain.tag import Region, Tag, TagKind, TagSource
from core.ingest.metadata.text import clean_text

_MAX_TAGS = 200
_MAX_LEVELS = 12
_MAX_WORD = 80
_ROOTS = {
    TagKind.PERSON: "people person persons personen menschen personnes personne personas persona"
    " persone gente",
    TagKind.PLACE: "places place locations location orte ort lieux lieu lugares lugar luoghi luogo",
    TagKind.EVENT: "events event ereignisse ereignis événements événement eventos evento eventi",
    TagKind.ALBUM: "albums album alben álbumes álbum",
}
_KIND_OF_ROOT = {root: kind for kind, roots in _ROOTS.items() for root in roots.split()}
_OWN = ("_digikam_internal_tags_", "darktable", "pick label", "color label")
_BARE_ROOT = "_digikam_root_tag_"
Levels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Words by what they name; `paths` go from the root, `place` from the country down.

    `faces` and `pets` are names with where they are on the upright picture.
    """

    keywords: Sequence[str] = ()
    paths: Sequence[Levels] = ()
    persons: Sequence[str] = ()
    place: Levels = ()
    events: Sequence[str] = ()
    albums: Sequence[str] = ()
    faces: Sequence[tuple[str, Region | None]] = ()
    pets: Sequence[tuple[str, Region | None]] = ()


NO_WORDS = Words()


def tags_from(words: Words, source: TagSource) -> tuple[Tag, ...]:
    """The tags, the most telling first: faces, paths, people, the place, events, words."""
    found = [_named(TagKind.PERSON, name, source, region) for name, region in words.faces]
    found += [_named(TagKind.KEYWORD, name, source, region) for name, region in words.pets]
    found += [_of_path(path, source) for path in words.paths]
    found += [_named(TagKind.PERSON, name, source) for name in words.persons]
    found.append(_tag(TagKind.PLACE, words.place, source))
    found += [_named(TagKind.EVENT, name, source) for name in words.events]
    found += [_named(TagKind.ALBUM, name, source) for name in words.albums]
    found += [_named(TagKind.KEYWORD, name, source) for name in words.keywords]
    return united(tag for tag in found if tag is not None)


def _named(kind: TagKind, name: str, source: TagSource, region: Region | None = None) -> Tag | None:
    return _tag(kind, (name,), source, region)


def _of_path(path: Levels, source: TagSource) -> Tag | None:
    if path and path[0].casefold() == _BARE_ROOT:
        path = path[1:]
    if not path or path[0].casefold() in _OWN:
        return None
    root = _KIND_OF_ROOT.get(path[0].strip().casefold())
    return _tag(root if root and len(path) > 1 else TagKind.KEYWORD, path, source)


def _tag(
    kind: TagKind, levels: Levels, source: TagSource, region: Region | None = None
) -> Tag | None:
    cleaned = (clean_text(level, _MAX_WORD) for level in levels[:_MAX_LEVELS])
    kept = tuple(level for level, _ in groupby(level for level in cleaned if level))
    return Tag(kind, kept, source, region) if kept else None


def united(tags: Iterable[Tag]) -> tuple[Tag, ...]:
    """Tags without repeats, in their order, the fuller of two that say the same."""
    kept: list[Tag] = []
    places: dict[str, list[int]] = {}
    for tag in tags:
        alike = places.setdefault(tag.name.casefold(), [])
        at = next((i for i in alike if _same(tag, kept[i])), None)
        if at is not None:
            kept[at] = _fuller(kept[at], tag)
        elif len(kept) < _MAX_TAGS:
            alike.append(len(kept))
            kept.append(tag)
    roots = {tag.levels[0].casefold() for tag in kept if _has_kind_of_root(tag)}
    return tuple(t for t in kept if len(t.levels) > 1 or t.name.casefold() not in roots)


def _has_kind_of_root(tag: Tag) -> bool:
    return len(tag.levels) > 1 and _KIND_OF_ROOT.get(tag.levels[0].casefold()) is tag.kind


def _same(one: Tag, other: Tag) -> bool:
    """Whether they name the same: one's levels end the other's, and the kinds agree."""
    kinds = {one.kind, other.kind}
    if len(kinds) > 1 and (TagKind.KEYWORD not in kinds or TagKind.ALBUM in kinds):
        return False
    short, long = sorted((_folded(one), _folded(other)), key=len)
    return long[-len(short) :] == short


def _folded(tag: Tag) -> Levels:
    return tuple(level.casefold() for level in tag.levels)


def _fuller(first: Tag, second: Tag) -> Tag:
    best = second if len(second.levels) > len(first.levels) else first
    kind = second.kind if first.kind is TagKind.KEYWORD else first.kind
    return replace(best, kind=kind, region=first.region or second.region)
