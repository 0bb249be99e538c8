"""How a film is turned: its display matrix as an EXIF orientation."""

import struct
from typing import Any

_MATRIX = "DISPLAYMATRIX"
_BY_SIGNS = {
    (1, 0, 0, 1): 1,
    (-1, 0, 0, 1): 2,
    (-1, 0, 0, -1): 3,
    (1, 0, 0, -1): 4,
    (0, 1, 1, 0): 5,
    (0, 1, -1, 0): 6,
    (0, -1, -1, 0): 7,
    (0, -1, 1, 0): 8,
}
_BY_ANGLE = {0: 1, 90: 8, 180: 3, 270: 6}
"""Counter-clockwise, as FFmpeg counts."""


def frame_orientation(frame: Any) -> int:
    """The orientation (1 to 8) of a PyAV frame; what is not a quarter turn counts as upright."""
    try:
        found = [bytes(data) for data in frame.side_data if data.type.name == _MATRIX]
    except ValueError:  # side data of a sort that PyAV has no name for
        return _BY_ANGLE.get(round(frame.rotation) % 360, 1)
    return matrix_orientation(found[0]) if found else 1


def matrix_orientation(raw: bytes) -> int:
    """The orientation of nine little-endian numbers; 1 where they are no quarter turn."""
    if len(raw) < 36:
        return 1
    a, b, _, c, d, *_ = struct.unpack("<9i", raw[:36])
    most = max(map(abs, (a, b, c, d)), default=0)
    if most == 0:
        return 1
    return _BY_SIGNS.get((_sign(a, most), _sign(b, most), _sign(c, most), _sign(d, most)), 1)


def _sign(value: int, most: int) -> int:
    if abs(value) * 2 < most:
        return 0
    return 1 if value > 0 else -1
