"""Rows as SQLite's file format keeps them: a header of types, then the values.

See "Record Format" in SQLite's description of its files.
"""

import struct
from typing import TypeAlias

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Value, ...]

_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of the kinds that are no text: nothing, integers of six sizes, a real, zero, one."""

_LONGEST_VARINT = 9


class Unreadable(ValueError):
    """Bytes that are no row; never leaves the salvage."""


def varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next one begins."""
    if at < len(content) and content[at] < 0x80:
        return content[at], at + 1
    value = 0
    for count in range(1, _LONGEST_VARINT + 1):
        if at >= len(content):
            raise Unreadable
        byte = content[at]
        at += 1
        if count == _LONGEST_VARINT:
            value = value << 8 | byte
            break
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return (value - (1 << 64) if value >= 1 << 63 else value), at


def row_of(payload: bytes) -> Row:
    """The values of a record; raises Unreadable unless its length is exactly what it says."""
    end, at = varint(payload, 0)
    kinds = []
    while at < end:
        kind = payload[at] if at < len(payload) else 0x80
        if kind < 0x80:
            at += 1
        else:
            kind, at = varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise Unreadable
    values = []
    for kind in kinds:
        until = at + (_SIZES[kind] if 0 <= kind < len(_SIZES) else _size(kind))
        values.append(_value(kind, payload[at:until]))
        at = until
    if at != len(payload):
        raise Unreadable
    return tuple(values)


def _size(kind: int) -> int:
    if kind < 12:  # none is negative, 10 and 11 are not in use
        raise Unreadable
    return (kind - 12) // 2


def _value(kind: int, content: bytes) -> Value:
    if kind >= 12:
        return content if kind % 2 == 0 else _text(content)
    if kind in (0, 8, 9):
        return None if kind == 0 else kind - 8
    if kind == 7:
        if len(content) != 8:
            raise Unreadable
        return float(struct.unpack(">d", content)[0])
    return int.from_bytes(content, "big", signed=True)


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Unreadable from error
