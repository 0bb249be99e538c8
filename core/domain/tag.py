"""Words that people or programs attached to a photo: keywords, people, places, events, albums."""

from dataclasses import dataclass
from enum import StrEnum

BETWEEN_LEVELS = "|"
"""Between the levels of a tag as text; a level that holds it gets a slash instead."""


class TagKind(StrEnum):
    """What a tag names."""

    KEYWORD = "keyword"
    PERSON = "person"
    PLACE = "place"
    EVENT = "event"
    ALBUM = "album"


class TagSource(StrEnum):
    """Who says so; what the user said by hand is never replaced by what files say."""

    FILE = "file"
    SIDECAR = "sidecar"
    TAKEOUT = "takeout"
    HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the upright picture, from 0 to 1: left and top edge, width and height."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag with its levels from the root, e.g. ("Places", "Italy", "Arezzo")."""

    kind: TagKind
    levels: tuple[str, ...]
    source: TagSource = TagSource.FILE
    region: Region | None = None

    @property
    def name(self) -> str:
        """The finest level: what the photo shows."""
        return self.levels[-1]

    @property
    def text(self) -> str:
        """All levels in one string."""
        return BETWEEN_LEVELS.join(level.replace(BETWEEN_LEVELS, "/") for level in self.levels)


def tag_names(tags: tuple[Tag, ...]) -> tuple[str, ...]:
    """The distinct names of tags, in order."""
    return tuple(dict.fromkeys(tag.name for tag in tags))
