"""What a person did with a grid, kept when its content changes under them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint

from app.widgets.item_model import PictureModel
from app.widgets.section_grid import SectionGrid

_FIRST_CELL = QPoint(24, 60)
"""A place of the viewport that the first row of pictures covers, its header above it."""


@dataclass(frozen=True, slots=True)
class GridMemory:
    """Pictures that are chosen, the current one, and the one at the top with its height there.

    -1 stands for none; at the very top nothing is held, so that new photos are seen.
    """

    chosen: tuple[int, ...] = ()
    current: int = -1
    top: int = -1
    height: int = 0

    @classmethod
    def of(cls, grid: SectionGrid) -> "GridMemory":
        """What a person did with a grid."""
        model = grid.pictures
        if model is None:
            return cls()
        current = grid.currentIndex()
        top = grid.indexAt(_FIRST_CELL)
        is_held = top.isValid() and grid.verticalOffset() > 0
        return cls(
            tuple(grid.chosen()),
            model.picture(current.row()) if current.isValid() else -1,
            model.picture(top.row()) if is_held else -1,
            grid.visualRect(top).top() if is_held else 0,
        )

    def restore(self, grid: SectionGrid) -> None:
        """Have the same pictures chosen, current and in sight, as far as they are there."""
        model = grid.pictures
        if model is None:
            return
        flags = QItemSelectionModel.SelectionFlag
        row = model.row_of(self.current)
        if row >= 0:
            grid.selectionModel().setCurrentIndex(model.index(row, 0), flags.NoUpdate)
        grid.selectionModel().select(_selected(model, self.chosen), flags.ClearAndSelect)
        row = model.row_of(self.top)
        if row >= 0:
            moved = grid.visualRect(model.index(row, 0)).top() - self.height
            bar = grid.verticalScrollBar()
            bar.setValue(bar.value() + moved)


def _selected(model: PictureModel, pictures: Iterable[int]) -> QItemSelection:
    rows = np.flatnonzero(np.isin(model.pictures, np.fromiter(pictures, np.int64)))
    selection = QItemSelection()
    for first, last in _runs(rows.tolist()):
        selection.select(model.index(first, 0), model.index(last, 0))
    return selection


def _runs(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Rows that follow each other, as the first and the last of each run."""
    for _, run in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        found = [row for _, row in run]
        yield found[0], found[-1]
