"""A PNG without what it says of place, device and people; the picture itself is not touched."""

import struct
import zlib

from core.export.malformed import Malformed

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL "
    b"fdAT".split()
)
"""What decodes it, its colours and its frames."""


def clean_png(data: bytes, exif: bytes) -> tuple[bytes, bool]:
    """The picture with `exif` alone, and whether something followed it; raises Malformed."""
    if not data.startswith(_SIGNATURE):
        raise Malformed("it does not begin as a PNG does")
    kept, at = [_SIGNATURE], len(_SIGNATURE)
    while True:
        if at + 12 > len(data):
            raise Malformed("it breaks off")
        size, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + size
        if end > len(data):
            raise Malformed("a part is longer than the file")
        if kind in _KEPT:
            kept.append(data[at:end])
        if kind == b"IHDR" and exif:
            kept.append(_chunk(b"eXIf", exif))
        at = end
        if kind == b"IEND":
            return b"".join(kept), bool(data[at:].strip(b"\0"))


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
