"""Pixmaps kept as long as they fit into a number of bytes."""

from collections import OrderedDict
from collections.abc import Hashable

from PySide6.QtGui import QPixmap


class PixmapCache:
    """Forgets the pixmap that was longest not asked for; used on the GUI thread alone."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._held: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: Hashable) -> QPixmap | None:
        """The pixmap of a key, None where it is not kept."""
        pixmap = self._held.get(key)
        if pixmap is not None:
            self._held.move_to_end(key)
        return pixmap

    def put(self, key: Hashable, pixmap: QPixmap) -> None:
        """Keep a pixmap, and forget others until all fit."""
        self.drop(key)
        self._held[key] = pixmap
        self.bytes += _size(pixmap)
        while self.bytes > self._limit and len(self._held) > 1:
            _, oldest = self._held.popitem(last=False)
            self.bytes -= _size(oldest)

    def drop(self, key: Hashable) -> None:
        """Forget one pixmap."""
        if (old := self._held.pop(key, None)) is not None:
            self.bytes -= _size(old)

    def clear(self) -> None:
        """Forget all."""
        self._held.clear()
        self.bytes = 0


def _size(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * max(1, pixmap.depth() // 8)
