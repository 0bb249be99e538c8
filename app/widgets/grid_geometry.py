"""Where every cell of a sectioned grid lies, by arithmetic alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect


@dataclass(frozen=True, slots=True)
class GridStyle:
    """Sizes in logical pixels: the wanted side of a picture, what is below it, and the spaces."""

    cell: int = 168
    caption: int = 0
    gap: int = 6
    margin: int = 20
    header: int = 54
    tail: int = 14


@dataclass(frozen=True, slots=True)
class VisibleRun:
    """Rows of one section, first to last inclusive, that meet a band of the grid."""

    section: int
    first: int
    last: int


class GridGeometry:
    """The layout of sections of `counts` cells below each other in a given width.

    Prefix sums over sections answer every question in O(log sections), whatever the number
    of cells. `titled[i]` tells whether section i has a header.
    """

    def __init__(
        self, counts: Sequence[int], titled: Sequence[bool], width: int, style: GridStyle
    ) -> None:
        self.style = style
        usable = max(1, width - 2 * style.margin)
        self.columns = max(1, (usable + style.gap) // (style.cell + style.gap))
        self.side = max(16, (usable - style.gap * (self.columns - 1)) // self.columns)
        self.pitch = self.side + style.caption + style.gap
        numbers = np.asarray(counts, np.int64)
        lines = -(-numbers // self.columns)
        self._headers = np.where(np.asarray(titled, bool), style.header, style.gap)
        heights = self._headers + lines * self.pitch + style.tail
        self._tops = np.concatenate([[0], np.cumsum(heights)]).astype(np.int64)
        self._firsts = np.concatenate([[0], np.cumsum(numbers)]).astype(np.int64)

    @property
    def height(self) -> int:
        """Height of the whole grid."""
        return int(self._tops[-1])

    @property
    def sections(self) -> int:
        """Number of sections."""
        return len(self._tops) - 1

    @property
    def total(self) -> int:
        """Number of cells."""
        return int(self._firsts[-1])

    def section_of(self, row: int) -> int:
        """The section that holds a cell."""
        return int(np.searchsorted(self._firsts, row, side="right")) - 1

    def section_at(self, y: int) -> int:
        """The section at a height, the nearest one outside the grid; -1 where there is none."""
        found = int(np.searchsorted(self._tops, y, side="right")) - 1
        return min(max(found, 0), self.sections - 1)

    def first_of(self, section: int) -> int:
        """The first cell of a section."""
        return int(self._firsts[section])

    def last_of(self, section: int) -> int:
        """The last cell of a section."""
        return int(self._firsts[section + 1]) - 1

    def header_rect(self, section: int) -> QRect:
        """Where a section's header is; of no height where it has none."""
        titled = int(self._headers[section]) == self.style.header
        height = self.style.header if titled else 0
        width = self.columns * (self.side + self.style.gap) - self.style.gap
        return QRect(self.style.margin, int(self._tops[section]), width, height)

    def bottom_of(self, section: int) -> int:
        """Where a section ends."""
        return int(self._tops[section + 1])

    def rect(self, row: int) -> QRect:
        """Where a cell is, its caption included."""
        section = self.section_of(row)
        line, column = divmod(row - self.first_of(section), self.columns)
        left = self.style.margin + column * (self.side + self.style.gap)
        top = int(self._tops[section]) + int(self._headers[section]) + line * self.pitch
        return QRect(left, top, self.side, self.side + self.style.caption)

    def row_at(self, x: int, y: int) -> int:
        """The cell at a point, -1 where there is none."""
        if not self.total or not 0 <= y < self.height or x < self.style.margin:
            return -1
        section = self.section_at(y)
        inside = y - int(self._tops[section]) - int(self._headers[section])
        line, column = inside // self.pitch, (x - self.style.margin) // (self.side + self.style.gap)
        row = self.first_of(section) + line * self.columns + column
        if inside < 0 or column >= self.columns or row > self.last_of(section):
            return -1
        return row if self.rect(row).contains(x, y) else -1

    def visible(self, top: int, bottom: int) -> Iterator[VisibleRun]:
        """The runs of cells that meet a band; empty runs where only a header does."""
        if not self.sections:
            return
        for section in range(self.section_at(top), self.section_at(bottom) + 1):
            start = int(self._tops[section]) + int(self._headers[section])
            line, end = max(0, (top - start) // self.pitch), max(-1, (bottom - start) // self.pitch)
            first = self.first_of(section) + line * self.columns
            last = self.first_of(section) + (end + 1) * self.columns - 1
            yield VisibleRun(section, first, min(last, self.last_of(section)))

    def neighbour(self, row: int, lines: int) -> int:
        """The cell some lines below (above where negative), in the same column if it can be."""
        section = self.section_of(row)
        column = (row - self.first_of(section)) % self.columns
        for _ in range(abs(lines)):
            row, section = self._step(row, section, column, 1 if lines > 0 else -1)
        return row

    def _step(self, row: int, section: int, column: int, way: int) -> tuple[int, int]:
        line = (row - self.first_of(section)) // self.columns + way
        lines = -(-(self.last_of(section) - self.first_of(section) + 1) // self.columns)
        if not 0 <= line < lines:
            other = self._next_filled(section, way)
            if other == section:
                return row, section
            section = other
            count = self.last_of(section) - self.first_of(section) + 1
            line = 0 if way > 0 else -(-count // self.columns) - 1
        wanted = self.first_of(section) + line * self.columns + column
        return min(wanted, self.last_of(section)), section

    def _next_filled(self, section: int, way: int) -> int:
        other = section + way
        while 0 <= other < self.sections:
            if self.last_of(other) >= self.first_of(other):
                return other
            other += way
        return section
