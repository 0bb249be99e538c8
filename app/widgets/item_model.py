"""A Qt model of pictures in sections; it holds their numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from html import escape
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUrl,
)
from PySide6.QtGui import QPixmap

Pictures = np.ndarray[tuple[int], np.dtype[np.int64]]
AnyIndex = QModelIndex | QPersistentModelIndex
PICTURE_MIME = "application/x-photoapp-picture"
_NO_INDEX = QModelIndex()


class CellRole(IntEnum):
    """What a cell tells its painter, beyond Qt's own roles."""

    PICTURE = Qt.ItemDataRole.UserRole + 1
    CHIPS = Qt.ItemDataRole.UserRole + 2
    DIMMED = Qt.ItemDataRole.UserRole + 3
    BROKEN = Qt.ItemDataRole.UserRole + 4
    MARK = Qt.ItemDataRole.UserRole + 5


@dataclass(frozen=True, slots=True)
class GridSection:
    """A header and how many pictures follow it; no title, no header.

    `short` is the title where there is little room; empty: the title, cut.
    """

    title: str
    detail: str
    count: int
    short: str = ""


class PictureSource(Protocol):
    """Where cells get what they show, at once or not at all (then it is loaded meanwhile)."""

    def pixmap(self, picture: int, edge: int) -> QPixmap | None:
        """A square picture of `edge` pixels, None while it loads."""

    def caption(self, picture: int) -> str:
        """What the picture is, in words; empty while unknown."""

    def path(self, picture: int) -> Path | None:
        """Its file, None while unknown."""

    def is_broken(self, picture: int) -> bool:
        """Whether it could not be read."""


class PictureModel(QAbstractListModel):
    """Pictures by number, in sections; details are asked of the source when painted."""

    def __init__(self, source: PictureSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.edge = 192
        self._source = source
        self._pictures: Pictures = np.empty(0, np.int64)
        self._sections: tuple[GridSection, ...] = ()

    @property
    def sections(self) -> tuple[GridSection, ...]:
        """The sections in order; their counts add up to the number of rows."""
        return self._sections

    def show(self, pictures: Pictures | Sequence[int], sections: Sequence[GridSection]) -> None:
        """Show these pictures from now on."""
        self.beginResetModel()
        self._pictures = np.asarray(pictures, np.int64)
        self._sections = tuple(sections)
        self.endResetModel()

    @property
    def pictures(self) -> Pictures:
        """The numbers of all pictures, in order."""
        return self._pictures

    def picture(self, row: int) -> int:
        """The number of the picture in a row."""
        return int(self._pictures[row])

    def row_of(self, picture: int) -> int:
        """The first row of a picture, -1 where it is not shown."""
        found = np.flatnonzero(self._pictures == picture)
        return int(found[0]) if len(found) else -1

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many pictures there are."""
        return 0 if parent.isValid() else len(self._pictures)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a cell shows; never waits."""
        if not index.isValid() or index.row() >= len(self._pictures):
            return None
        picture = self.picture(index.row())
        match role:
            case CellRole.PICTURE:
                return picture
            case Qt.ItemDataRole.DecorationRole:
                return self._source.pixmap(picture, self.edge)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._source.caption(picture) or self.tr("Photo")
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(self._source.caption(picture))
            case CellRole.BROKEN:
                return self._source.is_broken(picture)
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Cells can be chosen and dragged away."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        enabled = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return enabled | Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def mimeTypes(self) -> list[str]:
        """A picture's number, and its file for other applications."""
        return [PICTURE_MIME, "text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The dragged pictures."""
        pictures = [self.picture(index.row()) for index in indexes if index.isValid()]
        data = QMimeData()
        data.setData(PICTURE_MIME, ",".join(map(str, pictures)).encode())
        paths = [path for picture in pictures if (path := self._source.path(picture))]
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        return data


def plain_tooltip(text: str) -> str:
    """A tooltip that shows the text as it is, even where it looks like markup."""
    return f"<span>{escape(text)}</span>" if text else ""
