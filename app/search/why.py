"""The panel that tells why: the steps, what each found, how they combine, what happened."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.search.chips import verdict_chips
from app.theme import Theme
from app.widgets.chip import ChipContent, ChipFlow, ChipKind
from app.widgets.labels import button, plain_label
from app.widgets.side_panel import SidePanel
from app.words import count_in_words, photos_in_words
from core.domain.answer import RankedPhoto, SearchAnswer
from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval

_WIDTH = 330


class WhyPanel(SidePanel):
    """Explains one answer and, above it, the chosen photo."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_WIDTH, QCoreApplication.translate("WhyPanel", "Why these photos"), parent)
        self._theme = theme
        self._column = QVBoxLayout()
        self._unfolded = False

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
        self._more(answer)
        self._column.addStretch(1)
        self.setWidget(body)

    def _photo(self, answer: SearchAnswer, chosen: RankedPhoto) -> None:
        self._heading(self.tr("This photo"))
        rank = self.tr("Left out") if chosen.excluded else self.tr("Rank {}").format(chosen.rank)
        self._line(rank)
        for chip, verdict in zip(verdict_chips(chosen.verdicts), chosen.verdicts, strict=True):
            self._chips(chip)
            seen = self.tr("{0}: {1:.0%} sure that it is there")
            self._line(seen.format(verdict.condition.text, verdict.probability))
            if verdict.evidence:
                self._line(self.tr("Recognised: {}").format(verdict.evidence))
        if answer.trajectory is not None and chosen.found_by:
            numbers = ", ".join(str(step + 1) for step in chosen.found_by)
            one = len(chosen.found_by) == 1
            words = self.tr("Found by step {}") if one else self.tr("Found by steps {}")
            self._line(words.format(numbers))
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
        self._column.addSpacing(12)

    def _step_in_words(self, step: AtomicRetrieval, found: int) -> str:
        words = tool_in_words(step.tool)
        if found < 0:
            return self.tr("{0}, at most {1}").format(words, count_in_words(step.top_k))
        return self.tr("{0}: {1}").format(words, photos_in_words(found))

    def _more(self, answer: SearchAnswer) -> None:
        """The trace and the times, folded away until they are asked for."""
        events = [f"{e.event}: {e.detail}" if e.detail else e.event for e in answer.trace]
        times = [self.tr("{0}: {1:.2f} s").format(*pair) for pair in answer.seconds.items()]
        if not events and not times:
            return
        fold = button("", "quiet")
        fold.setCheckable(True)
        details = QWidget()
        column = QVBoxLayout(details)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for text in (*events, *times):
            column.addWidget(plain_label(text, "small", wrap=True))

        def show(shown: bool) -> None:
            self._unfolded = shown
            details.setVisible(shown)
            fold.setText(self.tr("Hide details") if shown else self.tr("Show details"))

        fold.toggled.connect(show)
        fold.setChecked(self._unfolded)
        show(self._unfolded)
        self._column.addWidget(fold, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(details)

    def _heading(self, text: str) -> None:
        self._column.addWidget(plain_label(text.upper(), "overline"))

    def _line(self, text: str) -> None:
        self._column.addWidget(plain_label(text, "muted", wrap=True))

    def _chips(self, *chips: ChipContent) -> None:
        flow = ChipFlow(self._theme)
        flow.show_chips(chips)
        self._column.addWidget(flow)


def tool_in_words(tool: str) -> str:
    """What a retrieval tool looks at; its own name where no words are known."""
    words = {
        "image-text": _tr("What photos look like"),
        "text-concept": _tr("What was recognised in photos"),
        "bm25": _tr("Words that are known of photos"),
        "metadata": _tr("Date and place"),
        "visual": _tr("Photos like the reference"),
        "fused": _tr("Like the reference, with the change"),
    }
    return words.get(tool, tool)


def _tr(text: str) -> str:
    return QCoreApplication.translate("search", text)
