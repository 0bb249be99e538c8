"""EXIF and XMP in files made of boxes: HEIF, AVIF, JPEG XL, JPEG 2000, CR3.

HEIF lists items (`iinf`) and says where each lies (`iloc`); the others keep a block in a box of
its own. Boxes are walked a bounded number of times and levels.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.ingest.metadata.tiff import Bytes

_MAX_BOXES = 4096
_MAX_ITEMS = 4096
_MAX_EXTENTS = 64
_MAX_LEVELS = 4
_MAX_BYTES = 4_000_000
_XMP_UUID = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_EXIF_UUID = b"JpgTiffExif->JP2"
_CANON_UUID = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
_TIFF = (b"II*\0", b"MM\0*")
Part = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class _Box:
    """One box: its kind, and where its content begins and ends."""

    kind: bytes
    start: int
    end: int


def box_blocks(data: Bytes) -> Iterator[Part]:
    """The blocks (exif, camera, gps, xmp) of a file of boxes; nothing where it is none."""
    yield from _walk(data, 0, len(data), 0)


def _walk(data: Bytes, start: int, end: int, level: int) -> Iterator[Part]:
    if level > _MAX_LEVELS:
        return
    for box in _boxes(data, start, end):
        if box.kind == b"meta":
            yield from _items(data, box)
        elif box.kind == b"moov":
            yield from _walk(data, box.start, box.end, level + 1)
        elif box.kind == b"Exif":  # JPEG XL
            yield "exif", _after_offset(_content(data, box))
        elif box.kind == b"xml " and data[box.start : box.start + 1] == b"<":
            yield "xmp", _content(data, box)
        elif box.kind == b"uuid":
            yield from _uuid(data, box, level)


def _boxes(data: Bytes, start: int, end: int) -> Iterator[_Box]:
    for _ in range(_MAX_BOXES):
        head = data[start : min(start + 16, end)]
        size, kind = int.from_bytes(head[:4], "big"), head[4:8]
        if len(head) < 8 or not kind.strip(b"\0"):
            return
        skip = 8
        if size == 1:
            size, skip = int.from_bytes(head[8:16], "big"), 16
        stop = end if size == 0 else min(start + size, end)
        if stop < start + skip:
            return
        yield _Box(kind, start + skip, stop)
        start = stop


def _content(data: Bytes, box: _Box) -> bytes:
    return data[box.start : min(box.end, box.start + _MAX_BYTES)]


def _uuid(data: Bytes, box: _Box, level: int) -> Iterator[Part]:
    name = data[box.start : box.start + 16]
    inside = _Box(b"", box.start + 16, box.end)
    if name == _XMP_UUID:
        yield "xmp", _content(data, inside)
    elif name == _EXIF_UUID:
        yield "exif", _content(data, inside)
    elif name == _CANON_UUID:
        yield from _canon(data, inside)


def _canon(data: Bytes, box: _Box) -> Iterator[Part]:
    """CR3 keeps each directory as a TIFF of its own: the first, EXIF, GPS."""
    kinds = {b"CMT1": "exif", b"CMT2": "camera", b"CMT4": "gps"}
    for inner in _boxes(data, box.start, box.end):
        if inner.kind in kinds:
            yield kinds[inner.kind], _content(data, inner)


def _after_offset(content: bytes) -> bytes:
    """EXIF of HEIF and JPEG XL begins with how far off its TIFF header is."""
    at = 4 + int.from_bytes(content[:4], "big")
    if content[at : at + 4] in _TIFF:
        return content[at:]
    found = [place for place in map(content[:64].find, _TIFF) if place >= 0]
    return content[min(found) :] if found else b""


def _items(data: Bytes, meta: _Box) -> Iterator[Part]:
    inner = {box.kind: box for box in _boxes(data, meta.start + 4, meta.end)}
    infos, places = inner.get(b"iinf"), inner.get(b"iloc")
    if infos is None or places is None:
        return
    wanted = dict(_wanted(data, infos))
    inside = inner[b"idat"].start if b"idat" in inner else 0
    for item, content in _located(data, places, inside, frozenset(wanted)):
        yield wanted[item], _after_offset(content) if wanted[item] == "exif" else content


def _wanted(data: Bytes, infos: _Box) -> Iterator[tuple[int, str]]:
    """The numbers of the items that are EXIF or XMP."""
    start = infos.start + (6 if data[infos.start : infos.start + 1] == b"\0" else 8)
    for box in _boxes(data, start, infos.end):
        entry = data[box.start : min(box.end, box.start + 256)]
        if box.kind != b"infe" or entry[:1] not in (b"\2", b"\3"):
            continue
        wide = 4 if entry[0] == 3 else 2
        item, rest = int.from_bytes(entry[4 : 4 + wide], "big"), entry[6 + wide :]
        if rest[:4] == b"Exif":
            yield item, "exif"
        elif rest[:4] == b"mime" and b"rdf+xml" in rest:
            yield item, "xmp"


@dataclass(slots=True)
class _Cursor:
    """Reads numbers of given widths in bytes, one after another."""

    raw: bytes
    at: int = 0

    def number(self, width: int) -> int:
        """The next number; 0 of no bytes, and past the end."""
        part = self.raw[self.at : self.at + width]
        self.at += width
        return int.from_bytes(part, "big")


def _located(
    data: Bytes, places: _Box, inside: int, wanted: frozenset[int]
) -> Iterator[tuple[int, bytes]]:
    """The contents of the wanted items; `inside` is where this box keeps data of its own."""
    cursor = _Cursor(_content(data, places))
    version = cursor.number(1)
    cursor.number(3)
    sizes, more = cursor.number(1), cursor.number(1)
    wide = 4 if version == 2 else 2
    for _ in range(min(cursor.number(wide), _MAX_ITEMS)):
        item = cursor.number(wide)
        method = cursor.number(2) & 15 if version else 0
        cursor.number(2)
        base = cursor.number(more >> 4) + (inside if method == 1 else 0)
        content = b""
        for _ in range(min(cursor.number(2), _MAX_EXTENTS)):
            cursor.number(more & 15 if version else 0)
            start, size = base + cursor.number(sizes >> 4), cursor.number(sizes & 15)
            if item in wanted and method < 2:
                content += data[start : start + min(size, _MAX_BYTES - len(content))]
        if item in wanted:
            yield item, content
