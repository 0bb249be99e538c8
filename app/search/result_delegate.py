"""Paints a result: the picture and, below it, what was checked."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from app.widgets.chip import ChipContent
from app.widgets.item_model import CellRole
from app.widgets.thumbnail_delegate import ThumbnailDelegate

LINE = 24
"""Height of one chip with the space above it."""
_PAD = 8
_SYMBOL = 12


class ResultDelegate(ThumbnailDelegate):
    """Chips say the state by colour, symbol and word, for all eyes."""

    def paint_caption(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One chip a line; the user's own mark in the picture's corner."""
        chips = index.data(CellRole.CHIPS) or ()
        top = rect.top() + rect.width() + 4
        for chip in chips:
            if top + LINE > rect.bottom() + 2:
                break
            self._paint_chip(painter, QRect(rect.left(), top, rect.width(), LINE - 3), chip)
            top += LINE
        mark = index.data(CellRole.MARK)
        if mark is not None:
            self._paint_mark(painter, rect, bool(mark))

    def _paint_chip(self, painter: QPainter, line: QRect, chip: ChipContent) -> None:
        colours, kind = self.theme.colours, chip.kind.value
        font = QFont(painter.font())
        font.setPointSizeF(8.5)
        font.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(font)
        word_width = metrics.horizontalAdvance(chip.word) + 6
        room = line.width() - 2 * _PAD - _SYMBOL - 4 - word_width
        text = metrics.elidedText(chip.text, Qt.TextElideMode.ElideRight, max(20, room))
        width = metrics.horizontalAdvance(text)
        body = QRect(line)
        body.setWidth(min(line.width(), 2 * _PAD + _SYMBOL + 4 + width + word_width))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.named(f"{kind}_soft"))
        painter.drawRoundedRect(body, body.height() / 2, body.height() / 2)
        symbol = self.theme.pixmap(chip.kind.icon, _SYMBOL, kind)
        painter.drawPixmap(body.left() + _PAD, body.center().y() - _SYMBOL // 2 + 1, symbol)
        left = body.left() + _PAD + _SYMBOL + 4
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(colours.named(kind))
        painter.setFont(font)
        painter.drawText(QRect(left, body.top(), width + 4, body.height()), align, text)
        font.setWeight(QFont.Weight.Normal)
        painter.setFont(font)
        after = QRect(left + width + 6, body.top(), word_width, body.height())
        painter.drawText(after, align, chip.word)

    def _paint_mark(self, painter: QPainter, rect: QRect, right: bool) -> None:
        colours = self.theme.colours
        badge = QRect(rect.left() + 9, rect.top() + 9, 28, 28)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.kept_soft if right else colours.changed_soft)
        painter.drawEllipse(badge)
        name, colour = ("right-mark", "kept") if right else ("wrong-mark", "changed")
        painter.drawPixmap(badge.left() + 6, badge.top() + 6, self.theme.pixmap(name, 16, colour))
