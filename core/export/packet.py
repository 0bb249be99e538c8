"""An XMP packet as a document: what is asked for is set, all else stays as others wrote it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.dom.minidom import Document, Element, Text
from xml.parsers.expat import ExpatError

from defusedxml import minidom
from defusedxml.common import DefusedXmlException

from core.export.malformed import Malformed

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XML = "http://www.w3.org/XML/1998/namespace"
SPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "digiKam": "http://www.digikam.org/ns/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "rdf": RDF,
}
_EMPTY = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">\n'
    f'<rdf:RDF xmlns:rdf="{RDF}"><rdf:Description rdf:about=""/></rdf:RDF>\n'
    "</x:xmpmeta>\n"
)
_MAX_BYTES = 2_000_000
_MAX_DEPTH = 60
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Packet:
    """One packet; properties are named by prefix and name, e.g. "dc:title"."""

    document: Document
    _rdf: Element = field(init=False)

    def __post_init__(self) -> None:
        found = self.document.getElementsByTagNameNS(RDF, "RDF")
        if not found:
            raise Malformed("it holds no RDF")
        self._rdf = found[0]

    @classmethod
    def read(cls, raw: bytes) -> "Packet":
        """What others wrote, an empty packet where nothing is there; raises Malformed."""
        if len(raw) > _MAX_BYTES:
            raise Malformed("it is too large")
        if not raw.strip():
            raw = _EMPTY.encode()
        try:
            document = minidom.parseString(raw, forbid_dtd=True)
        except (ExpatError, DefusedXmlException, ValueError) as error:
            raise Malformed("it is damaged") from error
        if _is_too_deep(document):
            raise Malformed("it is too deep")
        return cls(document)

    def written(self) -> bytes:
        """The packet as the bytes of a file."""
        whole: bytes = self.document.toxml(encoding="utf-8")
        return whole + b"\n"

    def texts(self, name: str) -> list[str]:
        """The text of each item of a list, or the property's own."""
        held = self._held(name)
        items = [li for one in held for li in one.getElementsByTagNameNS(RDF, "li")]
        texts = (_text(one).strip() for one in items or held)
        return [text for text in texts if text]

    def set_text(self, name: str, text: str) -> None:
        """Have a plain property say this."""
        self._remove(name)
        self._append(name).appendChild(self._text_node(text))

    def set_title(self, name: str, text: str) -> None:
        """Have the default of alternatives by language say this; other languages stay."""
        others = [li for li in self._items(name) if li.getAttributeNS(XML, "lang") != "x-default"]
        self._remove(name)
        alternatives = self._child(self._append(name), "rdf:Alt")
        default = self._child(alternatives, "rdf:li")
        default.setAttribute("xml:lang", "x-default")
        default.appendChild(self._text_node(text))
        for item in others:
            alternatives.appendChild(item)

    def set_bag(self, name: str, texts: Sequence[str], *, ordered: bool = False) -> None:
        """Have a list hold these texts."""
        self._remove(name)
        bag = self._child(self._append(name), "rdf:Seq" if ordered else "rdf:Bag")
        for text in texts:
            self._child(bag, "rdf:li").appendChild(self._text_node(text))

    def add_parts(
        self, name: str, size: Mapping[str, str], parts: Sequence[Mapping[str, str]]
    ) -> None:
        """Add named regions to those that are there; `size` is what they were measured on.

        Keys of parts that begin with "stArea:" go into the area of the region.
        """
        held = self._held(name)
        regions = held[0] if held else self._made_regions(name, size)
        bags = regions.getElementsByTagNameNS(RDF, "Bag")
        bag = bags[0] if bags else self._child(self._child(regions, "mwg-rs:RegionList"), "rdf:Bag")
        for part in parts:
            item = self._structure(self._child(bag, "rdf:li"))
            area = self._structure(self._child(item, "mwg-rs:Area"))
            for key, text in part.items():
                holder = area if key.startswith("stArea:") else item
                self._child(holder, key).appendChild(self._text_node(text))

    def _made_regions(self, name: str, size: Mapping[str, str]) -> Element:
        regions = self._structure(self._append(name))
        applied = self._structure(self._child(regions, "mwg-rs:AppliedToDimensions"))
        for key, text in size.items():
            self._child(applied, key).appendChild(self._text_node(text))
        return regions

    def _descriptions(self) -> Iterator[Element]:
        for child in self._rdf.childNodes:
            if isinstance(child, Element) and child.localName == "Description":
                yield child

    def _held(self, name: str) -> list[Element]:
        space, local = _split(name)
        return [
            child
            for description in self._descriptions()
            for child in description.childNodes
            if isinstance(child, Element)
            and (child.namespaceURI, child.localName) == (space, local)
        ]

    def _items(self, name: str) -> list[Element]:
        return [li for one in self._held(name) for li in one.getElementsByTagNameNS(RDF, "li")]

    def _remove(self, name: str) -> None:
        space, local = _split(name)
        for element in self._held(name):
            if isinstance(element.parentNode, Element):
                element.parentNode.removeChild(element)
        for description in self._descriptions():
            if description.hasAttributeNS(space, local):
                description.removeAttributeNS(space, local)

    def _append(self, name: str) -> Element:
        """A new property of the first description, which is made where there is none."""
        first = next(self._descriptions(), None)
        if first is None:
            first = self._child(self._rdf, "rdf:Description")
            first.setAttribute("rdf:about", "")
        return self._child(first, name)

    def _child(self, parent: Element, name: str) -> Element:
        """A new element; it declares its prefix, whatever the document means by it."""
        prefix = name.partition(":")[0]
        made = self.document.createElementNS(SPACES[prefix], name)
        if _meaning(parent, prefix) != SPACES[prefix]:
            made.setAttribute(f"xmlns:{prefix}", SPACES[prefix])
        parent.appendChild(made)
        return made

    def _structure(self, element: Element) -> Element:
        """The element, whose parts are named by child elements."""
        element.setAttributeNS(RDF, "rdf:parseType", "Resource")
        if _meaning(element, "rdf") != RDF:
            element.setAttribute("xmlns:rdf", RDF)
        return element

    def _text_node(self, text: str) -> Text:
        return self.document.createTextNode(_NOT_XML.sub(" ", text))


def _meaning(element: object, prefix: str) -> str:
    """What a prefix stands for where an element is."""
    while isinstance(element, Element):
        if element.hasAttribute(f"xmlns:{prefix}"):
            return str(element.getAttribute(f"xmlns:{prefix}"))
        element = element.parentNode
    return ""


def _split(name: str) -> tuple[str, str]:
    prefix, _, local = name.partition(":")
    return SPACES[prefix], local


def _text(element: Element) -> str:
    """The text in an element and those in it."""
    parts = (_text(c) if isinstance(c, Element) else _data(c) for c in element.childNodes)
    return "".join(parts)


def _data(node: object) -> str:
    return node.data if isinstance(node, Text) else ""


def _is_too_deep(document: Document) -> bool:
    """Whether elements lie deeper in each other than any program writes: asked without diving."""
    level: list[Element] = [c for c in document.childNodes if isinstance(c, Element)]
    for _ in range(_MAX_DEPTH):
        level = [c for one in level for c in one.childNodes if isinstance(c, Element)]
    return bool(level)
