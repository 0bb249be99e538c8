"""A chip: a short text with a symbol and a colour that mean the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.theme import Theme
from app.widgets.flow_layout import FlowLayout
from app.widgets.item_model import plain_tooltip
from app.widgets.labels import plain_label


class ChipKind(StrEnum):
    """What a chip means; its colours and symbol follow."""

    PLAIN = "plain"
    WANTED = "wanted"
    EXCLUDED = "excluded"
    TIME = "time"
    PLACE = "place"
    KEPT = "kept"
    CHANGED = "changed"
    ABSENT = "absent"
    UNSURE = "unsure"

    @property
    def icon(self) -> str:
        """The symbol's name, empty for none."""
        named = {ChipKind.PLAIN: "", ChipKind.WANTED: "plus", ChipKind.EXCLUDED: "minus"}
        return named.get(self, self.value)

    @property
    def ink(self) -> str:
        """The colour's name."""
        named = {ChipKind.WANTED: "accent", ChipKind.EXCLUDED: "changed"}
        coloured = (ChipKind.KEPT, ChipKind.CHANGED, ChipKind.ABSENT, ChipKind.UNSURE)
        return named.get(self, self.value if self in coloured else "muted")


@dataclass(frozen=True, slots=True)
class ChipContent:
    """A chip's text, a quieter word after it, its kind, and a longer explanation."""

    text: str
    word: str = ""
    kind: ChipKind = ChipKind.PLAIN
    tooltip: str = ""

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        return f"{self.text}, {self.word}" if self.word else self.text


class Chip(QFrame):
    """One chip; excluded things are struck through and have a minus before them."""

    def __init__(self, content: ChipContent, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.setObjectName("chip")
        self.setProperty("kind", content.kind.value)
        self.setAccessibleName(content.spoken)
        self.setToolTip(plain_tooltip(content.tooltip))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 4, 10, 4)
        line.setSpacing(5)
        if content.kind.icon:
            symbol = QLabel(self)
            symbol.setPixmap(theme.pixmap(content.kind.icon, 12, content.kind.ink))
            line.addWidget(symbol)
        line.addWidget(self._text(content))
        if content.word:
            line.addWidget(plain_label(content.word, "small"))

    def _text(self, content: ChipContent) -> QLabel:
        label = plain_label(content.text)
        if content.kind is ChipKind.EXCLUDED:
            font = label.font()
            font.setStrikeOut(True)
            label.setFont(font)
        return label


class ChipFlow(QWidget):
    """Chips after each other, over as many lines as they need."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._contents: tuple[ChipContent, ...] = ()
        self._flow = FlowLayout(6, self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._rebuild)

    @property
    def contents(self) -> tuple[ChipContent, ...]:
        """What is shown."""
        return self._contents

    def show_chips(self, contents: Sequence[ChipContent]) -> None:
        """Show these chips instead of the ones before."""
        self._contents = tuple(contents)
        self._rebuild()

    def _rebuild(self) -> None:
        self._flow.clear()
        for content in self._contents:
            self._flow.addWidget(Chip(content, self._theme, self))
        self.updateGeometry()
