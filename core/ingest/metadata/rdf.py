"""An XMP packet as plain values, through an XML parser that knows neither entities nor DTDs.

A packet is untrusted: its size, depth and number of elements are bounded, an ampersand that
begins no character is text, well-known prefixes need not be declared, and of a packet that
breaks off counts what came before.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from core.ingest.metadata.text import lenient_utf8

Value = str | list["Value"] | dict[str, "Value"]
"""Text, the items of a list (of alternatives: the default first), or named parts."""

MAX_BYTES = 2_000_000
_MAX_DEPTH = 40
_MAX_ELEMENTS = 20_000
_MAX_TEXT = 20_000
_PREFIXES = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://purl.org/dc/elements/1.1": "dc",
    "http://ns.adobe.com/xap/1.0": "xmp",
    "http://ns.adobe.com/exif/1.0": "exif",
    "http://ns.adobe.com/tiff/1.0": "tiff",
    "http://ns.adobe.com/photoshop/1.0": "photoshop",
    "http://ns.adobe.com/lightroom/1.0": "lr",
    "http://www.digikam.org/ns/1.0": "digiKam",
    "http://ns.microsoft.com/photo/1.0": "MicrosoftPhoto",
    "http://ns.microsoft.com/photo/1.2": "MP",
    "http://ns.microsoft.com/photo/1.2/t/RegionInfo": "MPRI",
    "http://ns.microsoft.com/photo/1.2/t/Region": "MPReg",
    "http://ns.iview-multimedia.com/mediapro/1.0": "mediapro",
    "http://www.metadataworkinggroup.com/schemas/regions": "mwg-rs",
    "http://ns.adobe.com/xmp/sType/Area": "stArea",
    "http://ns.adobe.com/xap/1.0/sType/Dimensions": "stDim",
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29": "Iptc4xmpExt",
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns": "Iptc4xmpCore",
}
"""Namespaces (less what they end in) by their usual prefix; properties of others are left out."""

_SLASHED = ("rdf", "mwg-rs", "stArea", "stDim", "MPRI", "MPReg")
_DECLARED = " ".join(
    f'xmlns:{prefix}="{uri}{"#" if prefix in _SLASHED else "/"}"'
    for uri, prefix in _PREFIXES.items()
    if prefix != "xml"
)
_BEGINS = re.compile(r"<(?:[A-Za-z]\w{0,20}:)?(?:xmpmeta|xapmeta|RDF)[\s>]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_LISTS = ("rdf:Bag", "rdf:Seq", "rdf:Alt")


class _TooMuch(ValueError):
    """The packet is deeper, or has more elements, than any that a program writes."""


@dataclass(slots=True)
class _Node:
    """An element: its name with the usual prefix, "" for one of an unknown namespace."""

    name: str
    attributes: dict[str, str]
    children: "list[_Node]" = field(default_factory=list)
    text: str = ""


class _Tree:
    """Builds nodes while the parser goes on; what is built stays when it fails."""

    def __init__(self) -> None:
        self.root = _Node("", {})
        self._open = [self.root]
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins; raises _TooMuch."""
        self._count += 1
        if len(self._open) > _MAX_DEPTH or self._count > _MAX_ELEMENTS:
            raise _TooMuch
        node = _Node(_short(tag), {_short(name): text for name, text in attributes.items()})
        self._open[-1].children.append(node)
        self._open.append(node)

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._open.pop()

    def data(self, text: str) -> None:
        """A piece of text."""
        node = self._open[-1]
        if len(node.text) < _MAX_TEXT:
            node.text += text


@lru_cache(maxsize=2048)
def _short(tag: str) -> str:
    uri, _, local = tag.removeprefix("{").rpartition("}")
    prefix = _PREFIXES.get(uri.rstrip("/#"))
    return f"{prefix}:{local}" if prefix else ""


def read_rdf(packet: bytes | str) -> dict[str, Value]:
    """The properties of a packet by name, e.g. "dc:title"; {} for what is none."""
    text = packet[:MAX_BYTES] if isinstance(packet, str) else _decoded(packet[:MAX_BYTES])
    begins = _BEGINS.search(text)
    if begins is None:
        return {}
    text = _BARE_AMPERSAND.sub("&amp;", _NOT_XML.sub(" ", text[begins.start() :]))
    tree = _Tree()
    parser = DefusedXMLParser(target=tree, forbid_dtd=True)
    try:
        parser.feed(f"<all {_DECLARED}>")
        parser.feed(text)
    except (ParseError, DefusedXmlException, _TooMuch):
        pass  # what came before the damage counts
    return _properties(tree.root)


def _decoded(packet: bytes) -> str:
    """Text of UTF-16 in the byte order that its first bracket shows, else of UTF-8."""
    first = packet[:64].find(b"<")
    if first < 0 or packet[first + 1 : first + 2] != b"\0":
        return lenient_utf8(packet)
    return packet.decode("utf-16-be" if first % 2 else "utf-16-le", "ignore")


def _properties(root: _Node) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for node in _described(root):
        for name, value in _parts(node):
            found.setdefault(name, value)
    return found


def _described(node: _Node) -> Iterator[_Node]:
    """Every rdf:Description right below an rdf:RDF."""
    for child in node.children:
        if node.name == "rdf:RDF":
            if child.name == "rdf:Description":
                yield child
        else:
            yield from _described(child)


def _parts(node: _Node) -> Iterator[tuple[str, Value]]:
    """Attributes and elements alike are parts; those of RDF itself are not."""
    for name, text in node.attributes.items():
        if name and not name.startswith(("rdf:", "xml:")):
            yield name, text
    for child in node.children:
        if child.name and (not child.name.startswith("rdf:") or child.name == "rdf:value"):
            yield child.name, _value(child)


def _value(node: _Node) -> Value:
    for child in node.children:
        if child.name in _LISTS:
            items = [item for item in child.children if item.name == "rdf:li"]
            items.sort(key=lambda item: item.attributes.get("xml:lang") != "x-default")
            return [_value(item) for item in items]
        if child.name == "rdf:Description":
            return _plainest({**dict(_parts(node)), **dict(_parts(child))})
    parts = dict(_parts(node))
    if parts:
        return _plainest(parts)
    return node.attributes.get("rdf:resource") or node.text.strip()


def _plainest(parts: dict[str, Value]) -> Value:
    """A value with qualifiers is that value."""
    return parts.get("rdf:value", parts)


def text_in(value: Value | None) -> str:
    """The text of a value: its own, or the first of its items."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return next((text for text in map(text_in, value) if text), "")
    return ""


def texts_in(value: Value | None) -> list[str]:
    """All texts of a value."""
    values = value if isinstance(value, list) else [value]
    return [text for text in map(text_in, values) if text]


def parts_in(value: Mapping[str, Value] | Value | None, name: str) -> list[dict[str, Value]]:
    """The structures that a structure's part of that name lists."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else []
