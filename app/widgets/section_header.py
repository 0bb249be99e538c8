"""Paints the header of a section of the grid."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.theme import Colours
from app.widgets.item_model import GridSection

_BETWEEN, _BELOW = 1, 9


def paint_section_header(
    painter: QPainter, rect: QRect, section: GridSection, colours: Colours, font: QFont
) -> None:
    """The title in bold and, below it, the detail in a quieter colour; both end with `rect`."""
    bold = QFont(font)
    bold.setPointSizeF(font.pointSizeF() * 1.15)
    bold.setWeight(QFont.Weight.DemiBold)
    metrics, quiet = QFontMetrics(bold), QFontMetrics(font)
    low = rect.bottom() - _BELOW - quiet.height()
    width = rect.width() - 4
    fits = metrics.horizontalAdvance(section.title) <= width
    words = section.title if fits or not section.short else section.short
    title = QRect(rect.left() + 2, low - _BETWEEN - metrics.height(), width, metrics.height())
    _draw(painter, title, words, bold, colours.text)
    detail = QRect(rect.left() + 2, low, width, quiet.height())
    _draw(painter, detail, section.detail, font, colours.muted)


def _draw(painter: QPainter, rect: QRect, words: str, font: QFont, colour: QColor) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    right = Qt.TextElideMode.ElideRight
    painter.drawText(
        rect,
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
        QFontMetrics(font).elidedText(words, right, rect.width()),
    )
