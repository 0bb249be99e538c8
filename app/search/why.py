"""The panel that tells why: the steps, what each found, how they combine, what happened."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.search.chips import verdict_chips
from app.theme import Theme
from app.widgets.chip import ChipContent, ChipFlow, ChipKind
from app.widgets.labels import plain_label
from app.words import count_in_words
from core.domain.answer import RankedPhoto, SearchAnswer
from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval

_WIDTH = 330


class WhyPanel(QScrollArea):
    """Explains one answer and, above it, the chosen photo."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("panel")
        self.setWidgetResizable(True)
        self.setFixedWidth(_WIDTH)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Why these photos"))
        self._column = QVBoxLayout()

    def explain(self, answer: SearchAnswer, chosen: RankedPhoto | None) -> None:
        """Show the reasons of an answer, and those of one of its photos."""
        body = QWidget()
        body.setObjectName("panel")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(18, 16, 18, 18)
        self._column.setSpacing(6)
        if chosen is not None:
            self._photo(answer, chosen)
        self._steps(answer)
        self._trace(answer)
        self._seconds(answer)
        self._column.addStretch(1)
        self.setWidget(body)

    def _photo(self, answer: SearchAnswer, chosen: RankedPhoto) -> None:
        self._heading(self.tr("This photo"))
        rank = self.tr("Left out") if chosen.excluded else self.tr("Rank {}").format(chosen.rank)
        self._line(self.tr("{0}, score {1:.3f}").format(rank, chosen.score))
        for chip, verdict in zip(verdict_chips(chosen.verdicts), chosen.verdicts, strict=True):
            self._chips(
                ChipContent(chip.text, f"{chip.word} · {verdict.probability:.0%}", chip.kind)
            )
            if verdict.evidence:
                self._line(verdict.evidence)
        if answer.trajectory is not None and chosen.found_by:
            numbers = ", ".join(str(step + 1) for step in chosen.found_by)
            self._line(self.tr("Found by step {}").format(numbers))
        self._column.addSpacing(12)

    def _steps(self, answer: SearchAnswer) -> None:
        if answer.trajectory is None:
            return
        self._heading(self.tr("Steps"))
        found = (*answer.found, *[-1] * len(answer.trajectory.steps))
        for number, step in enumerate(answer.trajectory.steps):
            negative = step.polarity is Polarity.NEGATIVE
            kind = ChipKind.EXCLUDED if negative else ChipKind.WANTED
            wording = step.query or self.tr("like the photo")
            self._chips(ChipContent(f"{number + 1}. {wording}", "", kind))
            self._line(self._step_in_words(step, found[number]))
        self._line(self.tr("Planned by: {}").format(answer.trajectory.planner))
        self._column.addSpacing(12)

    def _step_in_words(self, step: AtomicRetrieval, found: int) -> str:
        words = self.tr("{0}, at most {1}").format(step.tool, count_in_words(step.top_k))
        if found >= 0:
            words += self.tr(", found {}").format(count_in_words(found))
        return words

    def _trace(self, answer: SearchAnswer) -> None:
        if not answer.trace:
            return
        self._heading(self.tr("What happened"))
        for event in answer.trace:
            self._line(f"{event.event}: {event.detail}" if event.detail else event.event)
        self._column.addSpacing(12)

    def _seconds(self, answer: SearchAnswer) -> None:
        if not answer.seconds:
            return
        self._heading(self.tr("Time"))
        for stage, seconds in answer.seconds.items():
            self._line(self.tr("{0}: {1:.2f} s").format(stage, seconds))

    def _heading(self, text: str) -> None:
        self._column.addWidget(plain_label(text.upper(), "overline"))

    def _line(self, text: str) -> None:
        self._column.addWidget(plain_label(text, "muted", wrap=True))

    def _chips(self, *chips: ChipContent) -> None:
        flow = ChipFlow(self._theme)
        flow.show_chips(chips)
        self._column.addWidget(flow)
