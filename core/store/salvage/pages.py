"""The pages of a library file with those of its write-ahead log over them, and their rows.

Nothing here trusts the file: every number is checked, pages that make no sense are None.
"""

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.store.salvage.record import Row, Unreadable, row_of, varint

MAGIC = b"SQLite format 3\0"
_USUAL_PAGE = 4096
_LOG_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
_INTERIOR_INDEX, _INTERIOR_TABLE, _LEAF_INDEX, _LEAF_TABLE = 2, 5, 10, 13
_KINDS = (_INTERIOR_INDEX, _INTERIOR_TABLE, _LEAF_INDEX, _LEAF_TABLE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a tree: rows by rowid (None in indexes), pages below, rows that were lost."""

    is_index: bool
    rows: tuple[tuple[int | None, Row], ...]
    below: tuple[int, ...]
    lost: int


@dataclass(slots=True)
class PageFile:
    """A damaged library file; `count` pages, numbered from 1."""

    content: bytes | mmap.mmap
    size: int
    logged: dict[int, bytes] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def read(cls, path: Path) -> "PageFile":
        """The file and the log beside it; raises OSError."""
        content = _mapped(path)
        log = path.with_name(f"{path.name}-wal")
        frames = log.read_bytes() if log.exists() else b""
        size = _page_size(content, frames)
        logged = _committed(frames, size)
        pages = max(-(-len(content) // size), max(logged, default=0))
        return cls(content, size, logged, pages)

    def bytes_of(self, number: int) -> bytes:
        """The content of a page; empty beyond the end."""
        found = self.logged.get(number)
        if found is not None:
            return found
        return self.content[(number - 1) * self.size : number * self.size]

    def version(self) -> int | None:
        """The library's version, None where the head of the file is gone."""
        head = self.bytes_of(1)[:100]
        return int.from_bytes(head[60:64], "big") if head.startswith(MAGIC) else None

    def free(self) -> set[int]:
        """Pages that hold nothing any more, as far as their list can be followed."""
        head, free = self.bytes_of(1), set[int]()
        trunk = int.from_bytes(head[32:36], "big") if head.startswith(MAGIC) else 0
        while 0 < trunk <= self.count and trunk not in free:
            free.add(trunk)
            page = self.bytes_of(trunk)
            leaves = min(int.from_bytes(page[4:8], "big"), self.size // 4 - 2)
            free.update(int.from_bytes(page[8 + 4 * i : 12 + 4 * i], "big") for i in range(leaves))
            trunk = int.from_bytes(page[:4], "big")
        return free

    def below(self, number: int) -> list[int]:
        """The pages that a page leads to, whatever rows it holds."""
        content = self.bytes_of(number)
        if len(content) != self.size or content[0] not in (_INTERIOR_INDEX, _INTERIOR_TABLE):
            return []
        cells = min(int.from_bytes(content[3:5], "big"), self.size // 2 - 6)
        starts = struct.unpack(f">{cells}H", content[12 : 12 + 2 * cells])
        pages = [content[8:12], *(content[at : at + 4] for at in starts)]
        return [n for n in (int.from_bytes(page, "big") for page in pages) if 0 < n <= self.count]

    def page(self, number: int) -> Page | None:
        """What a page holds; None where it is no page of a tree."""
        content = self.bytes_of(number)
        start = 100 if number == 1 else 0
        if len(content) != self.size or content[start] not in _KINDS:
            return None
        kind, cells = content[start], int.from_bytes(content[start + 3 : start + 5], "big")
        inner = kind in (_INTERIOR_INDEX, _INTERIOR_TABLE)
        first = start + (12 if inner else 8)
        if first + 2 * cells > self.size:
            return None
        below = [int.from_bytes(content[start + 8 : start + 12], "big")] if inner else []
        rows, lost = [], 0
        for i in range(cells):
            at = int.from_bytes(content[first + 2 * i : first + 2 * i + 2], "big")
            try:
                if inner:
                    below.append(int.from_bytes(content[at : at + 4], "big"))
                if kind != _INTERIOR_TABLE:
                    rows.append(self._row(content, at + (4 if inner else 0), kind))
            except Unreadable:
                lost += 1
        is_index = kind in (_INTERIOR_INDEX, _LEAF_INDEX)
        return Page(is_index, tuple(rows), tuple(below), lost)

    def _row(self, content: bytes, at: int, kind: int) -> tuple[int | None, Row]:
        length, at = varint(content, at)
        rowid = None
        if kind == _LEAF_TABLE:
            rowid, at = varint(content, at)
            most = self.size - 35
        else:
            most = (self.size - 12) * 64 // 255 - 23
        return rowid, row_of(self._payload(content, at, length, most))

    def _payload(self, content: bytes, at: int, length: int, most: int) -> bytes:
        """A record, from its page and the pages that it overflows to."""
        if not 0 < length <= self.count * self.size:
            raise Unreadable
        if length <= most:
            return content[at : at + length]
        least = (self.size - 12) * 32 // 255 - 23
        here = least + (length - least) % (self.size - 4)
        here = here if here <= most else least
        parts = [content[at : at + here]]
        rest, number = length - here, int.from_bytes(content[at + here : at + here + 4], "big")
        while rest > 0:
            page = self.bytes_of(number) if 0 < number <= self.count else b""
            if len(page) != self.size:
                raise Unreadable
            parts.append(page[4 : 4 + min(rest, self.size - 4)])
            rest, number = rest - (self.size - 4), int.from_bytes(page[:4], "big")
        return b"".join(parts)


def _mapped(path: Path) -> bytes | mmap.mmap:
    """A file's content, not read before it is asked for."""
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _page_size(content: bytes | mmap.mmap, log: bytes) -> int:
    said = int.from_bytes(content[16:18], "big") if content[:16] == MAGIC else 0
    if not said and len(log) >= 32:
        said = int.from_bytes(log[8:12], "big")
    said = 65_536 if said == 1 else said
    return said if 512 <= said <= 65_536 and said & (said - 1) == 0 else _USUAL_PAGE


def _committed(log: bytes, size: int) -> dict[int, bytes]:
    """The newest content of every page that a log has committed."""
    if len(log) < 32 or int.from_bytes(log[:4], "big") not in _LOG_MAGIC:
        return {}
    if int.from_bytes(log[8:12], "big") != size:
        return {}
    done: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for number, commits, content in _frames(log, size):
        pending[number] = content
        if commits:
            done |= pending
            pending = {}
    return done


def _frames(log: bytes, size: int) -> Iterator[tuple[int, bool, bytes]]:
    """Page numbers and contents until the first frame that is not of this log."""
    order = _LOG_MAGIC[int.from_bytes(log[:4], "big")]
    salt, sums = log[16:24], _checksum(log[:24], (0, 0), order)
    if sums != struct.unpack(">2I", log[24:32]):
        return
    for at in range(32, len(log) - size - 23, size + 24):
        head, content = log[at : at + 24], log[at + 24 : at + 24 + size]
        sums = _checksum(content, _checksum(head[:8], sums, order), order)
        if head[8:16] != salt or sums != struct.unpack(">2I", head[16:24]):
            return
        number, pages = struct.unpack(">2I", head[:8])
        yield number, pages > 0, content


def _checksum(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
