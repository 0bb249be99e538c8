"""A JPEG without what it says of place, device and people; the picture itself is not touched."""

import struct

from core.export.malformed import Malformed

_SOI, _EOI, _SOS, _TEM = 0xD8, 0xD9, 0xDA, 0x01
_APP0, _APP1, _APP2, _APP14, _APP15, _COM = 0xE0, 0xE1, 0xE2, 0xEE, 0xEF, 0xFE
_RESTARTS = range(0xD0, 0xD8)
_JFIF, _ICC, _ADOBE, _EXIF = b"JFIF\0", b"ICC_PROFILE\0", b"Adobe", b"Exif\0\0"
_JFIF_BYTES = 14
_MOST_BYTES = 65_533


def clean_jpeg(data: bytes, exif: bytes) -> tuple[bytes, bool]:
    """The first picture of a file with `exif` alone, and whether something followed it.

    Kept are what decodes it and its colour profile; whatever follows it (other views, a film) is
    left out. Raises Malformed.
    """
    if data[:2] != b"\xff\xd8":
        raise Malformed("it does not begin as a JPEG does")
    kept, at = [b"\xff\xd8"], 2
    if exif:
        kept.append(_segment(_APP1, _EXIF + exif))
    while True:
        at, marker = _marker(data, at)
        if marker == _EOI:
            kept.append(b"\xff\xd9")
            return b"".join(kept), bool(data[at:].strip(b"\0"))
        if marker in _RESTARTS or marker == _TEM:
            kept.append(bytes((0xFF, marker)))
            continue
        content, at = _content(data, at)
        kept.append(_kept(marker, content))
        if marker == _SOS:
            end = _end_of_scan(data, at)
            kept.append(data[at:end])
            at = end


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """Where the next marker ends, and the marker; fill bytes before it are skipped."""
    if data[at : at + 1] != b"\xff":
        raise Malformed("a segment does not begin where it should")
    while data[at : at + 1] == b"\xff":
        at += 1
    if at >= len(data) or data[at] in (0, _SOI):
        raise Malformed("it breaks off")
    return at + 1, data[at]


def _content(data: bytes, at: int) -> tuple[bytes, int]:
    if at + 2 > len(data):
        raise Malformed("it breaks off")
    (size,) = struct.unpack_from(">H", data, at)
    if size < 2 or at + size > len(data):
        raise Malformed("a segment is longer than the file")
    return data[at + 2 : at + size], at + size


def _kept(marker: int, content: bytes) -> bytes:
    """The segment as it is kept, empty where it is not: comments and all other applications'."""
    if marker == _COM:
        return b""
    if not _APP0 <= marker <= _APP15:
        return _segment(marker, content)
    if marker == _APP0 and content.startswith(_JFIF) and len(content) >= _JFIF_BYTES:
        return _segment(marker, content[: _JFIF_BYTES - 2] + b"\0\0")  # no thumbnail
    if marker == _APP2 and content.startswith(_ICC):
        return _segment(marker, content)
    if marker == _APP14 and content.startswith(_ADOBE):
        return _segment(marker, content[:12])
    return b""


def _segment(marker: int, content: bytes) -> bytes:
    if len(content) > _MOST_BYTES:
        raise Malformed("a segment is too long")
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def _end_of_scan(data: bytes, at: int) -> int:
    """Where the next marker begins after coded data, in which ff 00 and restarts belong to it."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            raise Malformed("the picture breaks off")
        if data[at + 1] != 0 and data[at + 1] not in _RESTARTS:
            return at
        at += 2
