"""Paints the header of a section of the grid."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from app.theme import Colours
from app.widgets.item_model import GridSection


def paint_section_header(
    painter: QPainter, rect: QRect, section: GridSection, colours: Colours, font: QFont
) -> None:
    """The title in bold and, after it, the detail in a quieter colour, on one base line."""
    bold = QFont(font)
    bold.setPointSizeF(font.pointSizeF() * 1.15)
    bold.setWeight(QFont.Weight.DemiBold)
    text = rect.adjusted(2, 10, -2, -6)
    align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    metrics = QFontMetrics(bold)
    fits = metrics.horizontalAdvance(section.title) <= text.width()
    words = section.title if fits or not section.short else section.short
    title = metrics.elidedText(words, Qt.TextElideMode.ElideRight, text.width())
    painter.setFont(bold)
    painter.setPen(colours.text)
    painter.drawText(text, align, title)
    rest = text.adjusted(metrics.horizontalAdvance(title) + 12, 1, 0, 1)
    if rest.width() < 40:
        return
    painter.setFont(font)
    painter.setPen(colours.muted)
    detail = QFontMetrics(font).elidedText(
        section.detail, Qt.TextElideMode.ElideRight, rest.width()
    )
    painter.drawText(rest, align, detail)
