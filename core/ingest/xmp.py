"""Date, title and keywords from an XMP packet, by patterns: never by an XML parser.

A packet is untrusted; patterns over a bounded text cannot be made to expand entities.
"""

import html
import re
from dataclasses import dataclass

_MAX_BYTES = 262_144
_DATES = ("exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate")
_ITEM = re.compile(r"<rdf:li\b[^>]{0,200}>([^<]{1,300})</rdf:li>")


@dataclass(frozen=True, slots=True)
class XmpTags:
    """What a packet says; empty where it does not."""

    date: str = ""
    title: str = ""
    keywords: tuple[str, ...] = ()


def read_xmp(packet: object) -> XmpTags:
    """The tags of a packet as Pillow gives it (bytes or text)."""
    if isinstance(packet, bytes):
        packet = packet[:_MAX_BYTES].decode("utf-8", "ignore")
    if not isinstance(packet, str):
        return XmpTags()
    text = packet[:_MAX_BYTES]
    dates = (_value(text, name) for name in _DATES)
    titles = _items(text, "dc:title")
    return XmpTags(
        next((date for date in dates if date), ""),
        titles[0] if titles else "",
        _items(text, "dc:subject"),
    )


def _value(text: str, name: str) -> str:
    """An attribute or an element of that name."""
    found = re.search(rf"{name}(?:=[\"']|>)([^\"'<]{{4,40}})", text)
    return found[1] if found else ""


def _items(text: str, name: str) -> tuple[str, ...]:
    start = text.find(f"<{name}>")
    end = text.find(f"</{name}>", start)
    if start < 0 or end < 0:
        return ()
    return tuple(html.unescape(item) for item in _ITEM.findall(text[start:end]))
