"""A WebP without what it says of place, device and people; the picture itself is not touched."""

import struct

from core.export.malformed import Malformed

_KEPT = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))
_SAYS_EXIF, _SAYS_XMP = 0x08, 0x04
_FLAGS_BYTES = 10


def clean_webp(data: bytes, exif: bytes) -> tuple[bytes, bool]:
    """The picture with `exif` alone, and whether something followed it; raises Malformed.

    The simple form of a WebP has no room for `exif` and stays without.
    """
    if len(data) < 20 or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise Malformed("it does not begin as a WebP does")
    (size,) = struct.unpack_from("<I", data, 4)
    end = 8 + size
    if end > len(data) + 1:
        raise Malformed("it breaks off")
    kept = list(_chunks(data[:end]))
    if kept and kept[0].startswith(b"VP8X"):
        kept[0] = _with_flags(kept[0], bool(exif))
        if exif:
            kept.append(_chunk(b"EXIF", exif))
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body, bool(data[end:].strip(b"\0"))


def _chunks(data: bytes) -> list[bytes]:
    kept, at = [], 12
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        if at + 8 + size > len(data):
            raise Malformed("a part is longer than the file")
        if kind in _KEPT:
            kept.append(_chunk(kind, data[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    if not kept:
        raise Malformed("it holds no picture")
    return kept


def _with_flags(chunk: bytes, says_exif: bool) -> bytes:
    if len(chunk) < 8 + _FLAGS_BYTES:
        raise Malformed("its head breaks off")
    flags = chunk[8] & ~(_SAYS_EXIF | _SAYS_XMP) | (_SAYS_EXIF if says_exif else 0)
    return chunk[:8] + bytes((flags,)) + chunk[9:]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
