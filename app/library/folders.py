"""The folders of the library, small, for the foot of the rail."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.theme import Theme
from app.widgets.item_model import plain_tooltip
from app.widgets.labels import plain_label

_MOST = 5


class FolderList(QWidget):
    """One line a folder; an offline one says so."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folders: dict[Path, bool] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 0, 4, 6)
        self._column.setSpacing(5)
        theme.changed.connect(lambda: self.show_folders(self._folders))

    def show_folders(self, folders: Mapping[Path, bool]) -> None:
        """Show these folders; True means offline."""
        self._folders = dict(folders)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if not folders:
            return
        self._column.addWidget(plain_label(self.tr("FOLDERS"), "overline"))
        for path, offline in list(folders.items())[:_MOST]:
            self._column.addWidget(self._line(path, offline))
        if len(folders) > _MOST:
            more = self.tr("and {} more").format(len(folders) - _MOST)
            self._column.addWidget(plain_label(more, "small"))

    def _line(self, path: Path, offline: bool) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        symbol = QLabel()
        icon = "folder-offline" if offline else "folder"
        symbol.setPixmap(self._theme.pixmap(icon, 16, "muted"))
        name = path.name or str(path)
        label = plain_label(self.tr("{} (offline)").format(name) if offline else name, "small")
        label.setMinimumWidth(20)
        row.addWidget(symbol)
        row.addWidget(label, 1)
        line.setToolTip(plain_tooltip(str(path)))
        return line
