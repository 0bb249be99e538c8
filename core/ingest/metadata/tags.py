"""EXIF tags as the rest asks for them: text, numbers, Windows' own text."""

from collections.abc import Mapping

from core.ingest.metadata.text import decoded_text
from core.ingest.metadata.tiff import TagValue

Tags = Mapping[str, TagValue]


def text_of(tags: Tags, *names: str) -> str:
    """The first of the tags that holds text."""
    for name in names:
        value = tags.get(name)
        if isinstance(value, bytes):
            value = decoded_text(value)
        if isinstance(value, str) and value.strip("\0 "):
            return value
    return ""


def numbers_of(tags: Tags, name: str) -> tuple[float | None, ...]:
    """The numbers of a tag, () where it is absent or no numbers."""
    value = tags.get(name, ())
    return () if isinstance(value, str) else tuple(value)


def number_of(tags: Tags, name: str) -> float | None:
    """The first number of a tag."""
    numbers = numbers_of(tags, name)
    return numbers[0] if numbers else None


def wide_text_of(tags: Tags, name: str) -> str:
    """The text of a Windows (XP…) tag, UTF-16 in bytes."""
    value = tags.get(name)
    if isinstance(value, bytes):
        return value.decode("utf-16-le", "ignore").split("\0")[0]
    return value if isinstance(value, str) else ""
