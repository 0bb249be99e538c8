"""Where a file keeps its EXIF, XMP and IPTC blocks: read without decoding a pixel.

Every walk goes forward through a bounded number of parts and reads headers alone; blocks
themselves are bounded. Nothing is raised: what is damaged is left out.
"""

import io
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from core.ingest.decoding.gif import gif_blocks
from core.ingest.metadata.boxes import box_blocks
from core.ingest.metadata.tiff import Bytes

MAX_BLOCK_BYTES = 4_000_000
_MAX_PARTS = 20_000
_EXIF = b"Exif\0\0"
_XMP = b"http://ns.adobe.com/xap/1.0/\0"
_PHOTOSHOP = b"Photoshop 3.0\0"
_RAF = b"FUJIFILMCCD-RAW"
_BARE_MARKERS = (0x01, *range(0xD0, 0xD8))
_PROFILES = {b"exif": "exif", b"APP1": "exif", b"iptc": "iptc", b"xmp": "xmp"}
Part = tuple[str, bytes]
"""Which block a part belongs to (a field of Blocks), and its bytes."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The raw metadata of a file; empty where there are none.

    `exif` begins with its TIFF header and may be the file itself; `camera` and `gps` are
    directories that CR3 keeps apart. `photoshop` holds image resources, IPTC among them; `iptc`
    bare records.
    """

    exif: Bytes = b""
    xmp: bytes = b""
    iptc: bytes = b""
    photoshop: bytes = b""
    camera: bytes = b""
    gps: bytes = b""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file that is sliced like bytes: only what is asked for is read."""

    file: BinaryIO
    size: int

    @classmethod
    def of(cls, file: BinaryIO) -> "FileBytes":
        """An open file as it is now; raises OSError."""
        return cls(file, os.fstat(file.fileno()).st_size)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice, /) -> bytes:
        start, stop, _ = part.indices(self.size)
        if stop <= start:
            return b""
        self.file.seek(start, io.SEEK_SET)
        return self.file.read(stop - start)


def find_blocks(data: Bytes) -> Blocks:
    """The blocks of a file of any known format; reading raises OSError where a file does."""
    head = data[0:16]
    if head[:2] in (b"II", b"MM"):
        return Blocks(exif=data)
    if head.startswith(_RAF):
        at, size = int.from_bytes(data[84:88], "big"), int.from_bytes(data[88:92], "big")
        return _gathered(_jpeg(data[at : at + min(size, 16 * MAX_BLOCK_BYTES)]))
    return _gathered(_parts(data, head))


def _parts(data: Bytes, head: bytes) -> Iterator[Part]:
    if head.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _webp(data)
    if head.startswith(b"GIF8"):
        return gif_blocks(data)
    return box_blocks(data)


def _gathered(parts: Iterator[Part]) -> Blocks:
    """The first of each sort; Photoshop's resources go on from part to part."""
    found: dict[str, bytes] = {}
    for name, content in parts:
        if name == "photoshop":
            found[name] = (found.get(name, b"") + content)[:MAX_BLOCK_BYTES]
        elif content:
            found.setdefault(name, content)
    while found.get("exif", b"").startswith(_EXIF):
        found["exif"] = found["exif"][len(_EXIF) :]
    return Blocks(**found)


def _jpeg(data: Bytes) -> Iterator[Part]:
    """Segments up to the first scan; fill bytes between them are skipped."""
    at = 2
    for _ in range(_MAX_PARTS):
        head = data[at : at + 4]
        if len(head) < 4 or head[0] != 0xFF or head[1] in (0xD9, 0xDA):
            return
        if head[1] == 0xFF or head[1] in _BARE_MARKERS:
            at += 1 if head[1] == 0xFF else 2
            continue
        end = at + 2 + int.from_bytes(head[2:4], "big")
        if head[1] in (0xE1, 0xED):
            yield from _segment(data[at + 4 : end])
        at = max(end, at + 4)


def _segment(content: bytes) -> Iterator[Part]:
    for start, name in ((_EXIF, "exif"), (_XMP, "xmp"), (_PHOTOSHOP, "photoshop")):
        if content.startswith(start):
            yield name, content[len(start) :]


def _png(data: Bytes) -> Iterator[Part]:
    at = 8
    for _ in range(_MAX_PARTS):
        head = data[at : at + 8]
        if len(head) < 8 or head[4:] == b"IEND":
            return
        size = int.from_bytes(head[:4], "big")
        if head[4:] in (b"eXIf", b"iTXt", b"zTXt", b"tEXt"):
            yield from _chunk(head[4:], data[at + 8 : at + 8 + min(size, MAX_BLOCK_BYTES)])
        at += 12 + size


def _chunk(kind: bytes, content: bytes) -> Iterator[Part]:
    if kind == b"eXIf":
        yield "exif", content
        return
    key, _, rest = content.partition(b"\0")
    if kind == b"iTXt" and key == b"XML:com.adobe.xmp":
        packed, rest = rest[:1] == b"\1", rest[2:].split(b"\0", 2)[-1]
        yield "xmp", _unpacked(rest) if packed else rest
    elif key.startswith(b"Raw profile type "):
        name = _PROFILES.get(key[17:])
        if name is not None:
            yield _profile(name, _unpacked(rest[1:]) if kind == b"zTXt" else rest)


def _unpacked(content: bytes) -> bytes:
    """Inflated, up to the limit; what came before the damage where there is some."""
    try:
        return zlib.decompressobj().decompress(content, MAX_BLOCK_BYTES)
    except zlib.error:
        return b""


def _profile(name: str, text: bytes) -> Part:
    """A profile as hex digits after its name and length."""
    digits = b"".join(text.split()[2:])
    try:
        content = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return name, b""
    return ("photoshop" if content.startswith(b"8BIM") else name), content


def _webp(data: Bytes) -> Iterator[Part]:
    at = 12
    for _ in range(_MAX_PARTS):
        head = data[at : at + 8]
        if len(head) < 8:
            return
        size = int.from_bytes(head[4:], "little")
        name = {b"EXIF": "exif", b"XMP ": "xmp"}.get(head[:4])
        if name is not None:
            yield name, data[at + 8 : at + 8 + min(size, MAX_BLOCK_BYTES)]
        at += 8 + size + size % 2
