"""The Qt model of a search's results."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt

from app.search.chips import verdict_chips
from app.widgets.item_model import AnyIndex, CellRole, GridSection, PictureModel, PictureSource
from app.words import count_in_words
from core.domain.answer import RankedPhoto, SearchAnswer


class ResultModel(PictureModel):
    """The photos of an answer by rank; those that an exclusion removed come last."""

    def __init__(self, source: PictureSource, parent: QObject | None = None) -> None:
        super().__init__(source, parent)
        self._results: tuple[RankedPhoto, ...] = ()
        self._marks: dict[int, bool] = {}

    def show_answer(self, answer: SearchAnswer) -> None:
        """Show an answer; marks that the user made stay."""
        kept = [result for result in answer.results if not result.excluded]
        removed = [result for result in answer.results if result.excluded]
        self._results = (*kept, *removed)
        sections = [GridSection("", "", len(kept))]
        if removed:
            detail = self.tr("{} that you excluded something from")
            number = count_in_words(len(removed))
            sections.append(GridSection(self.tr("Left out"), detail.format(number), len(removed)))
        self.show([result.photo_id for result in self._results], sections)

    def clear(self) -> None:
        """Show nothing and forget the marks."""
        self._marks.clear()
        self._results = ()
        self.show([], [])

    def result(self, row: int) -> RankedPhoto:
        """The result in a row."""
        return self._results[row]

    def mark(self, pictures: Sequence[int], right: bool) -> None:
        """Show that the user called some photos right or wrong."""
        self._marks |= dict.fromkeys(pictures, right)
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a cell shows; never waits."""
        if not index.isValid() or index.row() >= len(self._results):
            return None
        result = self._results[index.row()]
        match role:
            case CellRole.CHIPS:
                return verdict_chips(result.verdicts)
            case CellRole.DIMMED:
                return result.excluded
            case CellRole.MARK:
                return self._marks.get(result.photo_id)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(result, str(super().data(index, role)))
        return super().data(index, role)

    def _spoken(self, result: RankedPhoto, caption: str) -> str:
        parts = [caption, *(chip.spoken for chip in verdict_chips(result.verdicts))]
        if result.excluded:
            parts.append(self.tr("left out"))
        return "; ".join(parts)
