"""The Qt model of a search's results."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt

from app.search.chips import verdict_chips
from app.widgets.item_model import AnyIndex, CellRole, GridSection, PictureModel, PictureSource
from app.words import count_in_words
from core.domain.answer import RankedPhoto, SearchAnswer
from core.domain.query import Polarity
from core.domain.verdict import VerdictState


class ResultModel(PictureModel):
    """The photos of an answer by rank: those that fit, those that lack something asked for,
    and last those that an exclusion removed.
    """

    def __init__(self, source: PictureSource, parent: QObject | None = None) -> None:
        super().__init__(source, parent)
        self._results: tuple[RankedPhoto, ...] = ()
        self._marks: dict[int, bool] = {}

    def show_answer(self, answer: SearchAnswer) -> None:
        """Show an answer; marks that the user made stay."""
        kept = [result for result in answer.results if not result.excluded]
        good = [result for result in kept if not _lacks_something(result)]
        weak = [result for result in kept if _lacks_something(result)] if good else []
        removed = [result for result in answer.results if result.excluded]
        first = good or kept
        self._results = (*first, *weak, *removed)
        sections = [GridSection("", "", len(first))]
        if weak:
            detail = self.tr("Something that you asked for is probably not in them")
            sections.append(GridSection(self.tr("Less likely"), detail, len(weak)))
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


def _lacks_something(result: RankedPhoto) -> bool:
    """Whether a wanted thing was looked for and is absent."""
    return any(
        verdict.state is VerdictState.ABSENT and verdict.condition.polarity is Polarity.POSITIVE
        for verdict in result.verdicts
    )
