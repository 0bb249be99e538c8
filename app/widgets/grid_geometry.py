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
    header: int = 62
    tail: int = 14


@dataclass(frozen=True, slots=True)
class VisibleRun:
    """Rows of one section, first to last inclusive, that meet a band of the grid."""

    section: int
    first: int
    last: int


class GridGeometry:
    """The layout of sections of `counts` cells below each other in a given width.

    Sections that fill less than a line share it with the next ones; such a line, or one
    longer section, is a band. `titled[i]` tells whether section i has a header. Questions
    are answered in O(log sections), whatever the number of cells.
    """

    def __init__(
        self, counts: Sequence[int], titled: Sequence[bool], width: int, style: GridStyle
    ) -> None:
        self.style = style
        usable = max(1, width - 2 * style.margin)
        self.columns = max(1, (usable + style.gap) // (style.cell + style.gap))
        self.side = max(16, (usable - style.gap * (self.columns - 1)) // self.columns)
        self.pitch = self.side + style.caption + style.gap
        self._titled = titled
        self._firsts = np.concatenate([[0], np.cumsum(np.asarray(counts, np.int64))])
        self._place(counts)

    def _place(self, counts: Sequence[int]) -> None:
        """Give every section its band's top and its first column in it."""
        tops, columns = [], []
        top, bottom, used = 0, 0, self.columns
        for count, titled in zip(counts, self._titled, strict=True):
            if titled and 0 < count <= self.columns - used:
                columns.append(used)
                used += count
            else:
                top = bottom
                lines = -(-count // self.columns)
                bottom = top + self._head(titled) + lines * self.pitch + self.style.tail
                columns.append(0)
                used = count if titled and 0 < count < self.columns else self.columns
            tops.append(top)
        self._tops = np.array(tops, np.int64)
        self._columns = np.array(columns, np.int64)
        self.height = bottom

    def _head(self, titled: bool) -> int:
        return self.style.header if titled else self.style.gap

    @property
    def sections(self) -> int:
        """Number of sections."""
        return len(self._tops)

    @property
    def total(self) -> int:
        """Number of cells."""
        return int(self._firsts[-1])

    def section_of(self, row: int) -> int:
        """The section that holds a cell."""
        return int(np.searchsorted(self._firsts, row, side="right")) - 1

    def band_at(self, y: int) -> range:
        """The sections of the band at a height, the nearest one outside the grid."""
        last = int(np.searchsorted(self._tops, y, side="right")) - 1
        last = min(max(last, 0), self.sections - 1)
        if last < 0:
            return range(0)
        top = int(self._tops[last])
        first = int(np.searchsorted(self._tops, top, side="left"))
        return range(first, int(np.searchsorted(self._tops, top, side="right")))

    def first_of(self, section: int) -> int:
        """The first cell of a section."""
        return int(self._firsts[section])

    def last_of(self, section: int) -> int:
        """The last cell of a section."""
        return int(self._firsts[section + 1]) - 1

    def header_rect(self, section: int) -> QRect:
        """Where a section's header is; of no height where it has none."""
        top, step = int(self._tops[section]), self.side + self.style.gap
        column, end = int(self._columns[section]), self.columns
        if section + 1 < self.sections and int(self._tops[section + 1]) == top:
            end = int(self._columns[section + 1])
        height = self.style.header if self._titled[section] else 0
        left = self.style.margin + column * step
        return QRect(left, top, (end - column) * step - self.style.gap, height)

    def bottom_of(self, section: int) -> int:
        """Where a section's band ends."""
        after = self.band_at(int(self._tops[section])).stop
        return int(self._tops[after]) if after < self.sections else self.height

    def rect(self, row: int) -> QRect:
        """Where a cell is, its caption included."""
        section = self.section_of(row)
        line, column = divmod(row - self.first_of(section), self.columns)
        column += int(self._columns[section])
        left = self.style.margin + column * (self.side + self.style.gap)
        top = self._cells_top(section) + line * self.pitch
        return QRect(left, top, self.side, self.side + self.style.caption)

    def row_at(self, x: int, y: int) -> int:
        """The cell at a point, -1 where there is none."""
        if not self.total or not 0 <= y < self.height or x < self.style.margin:
            return -1
        column = (x - self.style.margin) // (self.side + self.style.gap)
        section = self._covering(self.band_at(y), column)
        inside = y - self._cells_top(section)
        if inside < 0 or column >= self.columns:
            return -1
        line = inside // self.pitch
        row = self.first_of(section) + line * self.columns + column - int(self._columns[section])
        if row > self.last_of(section):
            return -1
        return row if self.rect(row).contains(x, y) else -1

    def visible(self, top: int, bottom: int) -> Iterator[VisibleRun]:
        """The runs of cells that meet a band; empty runs where only a header does."""
        for section in range(self.band_at(top).start, self.band_at(bottom).stop):
            start = self._cells_top(section)
            line, end = max(0, (top - start) // self.pitch), max(-1, (bottom - start) // self.pitch)
            first = self.first_of(section) + line * self.columns
            last = self.first_of(section) + (end + 1) * self.columns - 1
            yield VisibleRun(section, first, min(last, self.last_of(section)))

    def neighbour(self, row: int, lines: int) -> int:
        """The cell some lines below (above where negative), in the same column if it can be."""
        section = self.section_of(row)
        column = (row - self.first_of(section)) % self.columns + int(self._columns[section])
        for _ in range(abs(lines)):
            row = self._step(row, column, 1 if lines > 0 else -1)
        return row

    def _step(self, row: int, column: int, way: int) -> int:
        section = self.section_of(row)
        line = (row - self.first_of(section)) // self.columns + way
        if not 0 <= line < self._lines(section):
            band = self._next_filled(section, way)
            if not band:
                return row
            section = self._covering(band, column)
            line = 0 if way > 0 else self._lines(section) - 1
        inside = max(0, column - int(self._columns[section]))
        wanted = self.first_of(section) + line * self.columns + inside
        return min(wanted, self.last_of(section))

    def _next_filled(self, section: int, way: int) -> range:
        band = self.band_at(int(self._tops[section]))
        while 0 <= (other := band.stop if way > 0 else band.start - 1) < self.sections:
            band = self.band_at(int(self._tops[other]))
            if self.last_of(band.start) >= self.first_of(band.start):
                return band
        return range(0)

    def _covering(self, band: range, column: int) -> int:
        columns = self._columns[band.start : band.stop]
        return band.start + max(0, int(np.searchsorted(columns, column, side="right")) - 1)

    def _cells_top(self, section: int) -> int:
        return int(self._tops[section]) + self._head(self._titled[section])

    def _lines(self, section: int) -> int:
        return -(-(self.last_of(section) - self.first_of(section) + 1) // self.columns)
