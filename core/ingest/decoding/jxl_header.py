"""Size and orientation of a JPEG XL picture, read from its first bits.

The library that decodes it decodes all at once: the size has to be known before.
"""

from dataclasses import dataclass

_CODESTREAM = b"\xff\x0a"
_CONTAINER = b"\x00\x00\x00\x0cJXL \r\n\x87\n"
JXL_STARTS = (_CODESTREAM, _CONTAINER)
"""How the bytes of such a picture begin."""

_RATIOS = ((1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1))
_SIZE_BITS = (9, 13, 18, 30)
_MOST_BYTES = 64
_MAX_BOXES = 64


@dataclass(frozen=True, slots=True)
class JxlHeader:
    """`width` and `height` as stored; `orientation` as EXIF counts."""

    width: int
    height: int
    orientation: int


@dataclass(slots=True)
class _Bits:
    """Numbers from a stream of bits, the least significant first."""

    value: int
    at: int = 0

    def take(self, count: int) -> int:
        """The next number of `count` bits."""
        found = (self.value >> self.at) & ((1 << count) - 1)
        self.at += count
        return found


def read_jxl_header(data: bytes) -> JxlHeader:
    """The header; raises ValueError where there is none."""
    start = _codestream(data)
    if data[start : start + 2] != _CODESTREAM:
        raise ValueError("no JPEG XL codestream")
    bits = _Bits(int.from_bytes(data[start + 2 : start + _MOST_BYTES], "little"))
    small = bits.take(1)
    height = _side(bits, small)
    ratio = bits.take(3)
    if ratio:
        across, down = _RATIOS[ratio - 1]
        width = height * across // down
    else:
        width = _side(bits, small)
    is_plain = bits.take(1)
    says_more = 0 if is_plain else bits.take(1)
    return JxlHeader(width, height, bits.take(3) + 1 if says_more else 1)


def _side(bits: _Bits, small: int) -> int:
    if small:
        return (bits.take(5) + 1) * 8
    return bits.take(_SIZE_BITS[bits.take(2)]) + 1


def _codestream(data: bytes) -> int:
    """Where the codestream begins, or its first part."""
    at = 0
    if not data.startswith(_CONTAINER):
        return at
    for _ in range(_MAX_BOXES):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        head = 8
        if size == 1:
            size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        if kind in (b"jxlc", b"jxlp"):
            return at + head + (4 if kind == b"jxlp" else 0)
        if size < head:
            break
        at += size
    raise ValueError("no JPEG XL codestream")
