"""The look of the window: colours from a file, the style sheet, and icons in those colours."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from core.paths import data_folder

_INK = "#000000"
"""The colour that every icon is drawn in; replaced by the wanted one."""


class Variant(StrEnum):
    """Which set of colours is shown; SYSTEM follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one variant, by the names of its file."""

    dark: bool
    window: QColor
    surface: QColor
    raised: QColor
    hover: QColor
    border: QColor
    text: QColor
    muted: QColor
    accent: QColor
    accent_hover: QColor
    accent_soft: QColor
    on_accent: QColor
    placeholder: QColor
    kept: QColor
    kept_soft: QColor
    changed: QColor
    changed_soft: QColor
    absent: QColor
    absent_soft: QColor
    unsure: QColor
    unsure_soft: QColor
    shade: QColor

    def named(self, name: str) -> QColor:
        """A colour by its name; raises KeyError for a name that no file has."""
        value = getattr(self, name, None)
        if not isinstance(value, QColor):
            raise KeyError(name)
        return value


class Theme(QObject):
    """The look in use; `changed` tells painters to paint again."""

    changed = Signal()

    def __init__(self, variant: Variant = Variant.SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.variant = variant
        self.colours = load_colours(_shown(variant))
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    def choose(self, variant: Variant) -> None:
        """Show another variant from now on."""
        self.variant = variant
        self.colours = load_colours(_shown(variant))
        self._pixmaps.clear()
        self.apply()
        self.changed.emit()

    def apply(self) -> None:
        """Give the application this look."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.setStyle("Fusion")
            app.setPalette(_palette(self.colours))
            app.setStyleSheet(stylesheet(self.colours))

    def icon(self, name: str, colour: str = "text") -> QIcon:
        """An icon of resources/icons in a named colour; grey where it is disabled."""
        icon = QIcon()
        for size in (16, 20, 24, 48):
            icon.addPixmap(self.pixmap(name, size, colour))
            icon.addPixmap(self.pixmap(name, size, "border"), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, size: int, colour: str = "text") -> QPixmap:
        """An icon as a square pixmap of `size` logical pixels, sharp on this screen."""
        ratio = max(1.0, QGuiApplication.primaryScreen().devicePixelRatio())
        key = (name, colour, size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = _draw(name, self.colours.named(colour), size, ratio)
        return self._pixmaps[key]

    def _follow_desktop(self) -> None:
        if self.variant is Variant.SYSTEM:
            self.choose(Variant.SYSTEM)


def faded(colour: QColor, alpha: int) -> QColor:
    """The same colour, partly see-through: alpha 0 to 255."""
    copy = QColor(colour)
    copy.setAlpha(alpha)
    return copy


def load_colours(variant: Variant) -> Colours:
    """Read the colours of the light or the dark variant."""
    text = (data_folder("resources") / "qss" / f"{variant}.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    dark = bool(values.pop("dark"))
    return Colours(dark, **{name: QColor(value) for name, value in values.items()})


def stylesheet(colours: Colours) -> str:
    """The style sheet with every @name replaced; raises KeyError for an unknown name."""
    text = (data_folder("resources") / "qss" / "photoapp.qss").read_text(encoding="utf-8")
    icons = (data_folder("resources") / "icons").as_posix()
    body = text.split("*/", 1)[1].replace("@icons", icons)
    return re.sub(r"@([a-z_]+)", lambda found: colours.named(found[1]).name(), body)


def _shown(variant: Variant) -> Variant:
    if variant is not Variant.SYSTEM:
        return variant
    dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return Variant.DARK if dark else Variant.LIGHT


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for which, colour in (
        (role.Window, colours.window),
        (role.Base, colours.window),
        (role.AlternateBase, colours.surface),
        (role.Button, colours.raised),
        (role.WindowText, colours.text),
        (role.Text, colours.text),
        (role.ButtonText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.Mid, colours.border),
    ):
        palette.setColor(which, colour)
    return palette


def _draw(name: str, colour: QColor, size: int, ratio: float) -> QPixmap:
    path = data_folder("resources") / "icons" / f"{name}.svg"
    drawing = path.read_text(encoding="utf-8").replace(_INK, colour.name())
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
