"""The XMP packet of a GIF: an application's block among the others, which are walked over."""

from collections.abc import Iterator

from core.ingest.metadata.tiff import Bytes

_MAX_PARTS = 20_000
_MAX_BYTES = 2_000_000
_XMP = b"\x0bXMP DataXMP"
_EXTENSION, _PICTURE = 0x21, 0x2C
_APPLICATION = 0xFF


def gif_blocks(data: Bytes) -> Iterator[tuple[str, bytes]]:
    """The packet as the part "xmp"; nothing where there is none."""
    at = 13 + _colours(data[10:11])
    parts = 0
    while parts < _MAX_PARTS:
        head = data[at : at + 10]
        if head[:1] == bytes([_PICTURE]) and len(head) == 10:
            at += 11 + _colours(head[9:10])
        elif head[:1] == bytes([_EXTENSION]):
            at += 2
            if head[1:2] == bytes([_APPLICATION]) and data[at : at + len(_XMP)] == _XMP:
                yield "xmp", data[at + len(_XMP) : at + _MAX_BYTES]
                return
        else:
            return
        at, walked = _behind(data, at, _MAX_PARTS - parts)
        parts += walked + 1


def _colours(flags: bytes) -> int:
    """Bytes of the colour table that follows, by the flags that announce it."""
    return 3 << (flags[0] & 7) + 1 if flags and flags[0] & 0x80 else 0


def _behind(data: Bytes, at: int, most: int) -> tuple[int, int]:
    """Where the chain of pieces that begins here ends, and how many they were."""
    for walked in range(most):
        size = data[at : at + 1]
        at += 1 + (size[0] if size else 0)
        if not size or size == b"\0":
            return at, walked
    return at, most
