"""The story screen: a brief line, the story that answers it, and alternatives below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.story.controller import ToldStory
from app.story.strip import StoryStrip
from app.story.words import check_in_words, sentence
from app.theme import Theme
from app.thumbnails import Thumbnails
from app.widgets.empty_state import EmptyState
from app.widgets.labels import button, plain_label
from app.widgets.meter import Meter
from core.domain.story import Bundle

_METERS_A_LINE = 4
_NO_STORY = "no story"
"""The trace's word for why there is none."""


class StoryScreen(QWidget):
    """`asked` says that the user wants a story for `text`."""

    asked = Signal()
    stopped = Signal()
    opened = Signal(int)

    def __init__(self, thumbnails: Thumbnails, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._thumbnails, self._theme = thumbnails, theme
        self._story: ToldStory | None = None
        self._shown = 0
        self._busy = False
        self.line = QLineEdit()
        self.line.setPlaceholderText(self.tr("What should the story tell?"))
        self.line.setAccessibleName(self.tr("Story brief"))
        self.line.returnPressed.connect(self.asked)
        self.setFocusProxy(self.line)
        self.go = button(self.tr("Compose"), "primary")
        self.go.clicked.connect(self._press)
        self.empty = EmptyState(theme, "story", self)
        self.empty.suggested.connect(self._take_suggestion)
        self.pages = QScrollArea()
        self.pages.setWidgetResizable(True)
        self.pages.setFrameShape(QFrame.Shape.NoFrame)
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.pages)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._header())
        column.addWidget(body, 1)
        self._invite()

    @property
    def text(self) -> str:
        """The brief."""
        return self.line.text().strip()

    @property
    def shown(self) -> Bundle | None:
        """The bundle that is shown large."""
        bundles = self._story.answer.bundles if self._story else ()
        return bundles[self._shown] if bundles else None

    def set_busy(self, busy: bool) -> None:
        """While a story is on its way, the button stops it."""
        self._busy = busy
        self.go.setText(self.tr("Stop") if busy else self.tr("Compose"))

    def show_story(self, story: ToldStory) -> None:
        """Show the best bundle large and the others below, or say that there is none."""
        self._story = story
        if story.answer.bundles:
            self.choose(0)
            return
        reasons = [event.detail for event in story.answer.trace if event.event == _NO_STORY]
        advice = self.tr(
            "The library holds no photos that belong together and fit this brief. "
            "Name a place, a time or an event that you have several photos of."
        )
        why = sentence(reasons[-1]) + "." if reasons else ""
        self.empty.say(self.tr("No story found"), f"{why} {advice}".strip())
        self._stack.setCurrentWidget(self.empty)

    def choose(self, number: int) -> None:
        """Show one of the bundles large."""
        if self._story is None:
            return
        self._shown = number
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 10, 24, 24)
        column.setSpacing(18)
        self._add_main(column, self._story.answer.bundles[number])
        self._add_others(column)
        column.addStretch(1)
        self.pages.setWidget(page)
        self._stack.setCurrentWidget(self.pages)

    def _add_main(self, column: QVBoxLayout, bundle: Bundle) -> None:
        head = QHBoxLayout()
        head.addWidget(plain_label(bundle.title, "display", wrap=True), 1)
        head.addWidget(plain_label(self.tr("{:.1f} of 10").format(bundle.score), "muted"))
        column.addLayout(head)
        notes = self._story.answer.plan.notes if self._story else ()
        if notes:
            column.addWidget(plain_label(" · ".join(map(sentence, notes)), "small", wrap=True))
        column.addWidget(self._strip(bundle, large=True))
        meters = QGridLayout()
        meters.setHorizontalSpacing(26)
        meters.setVerticalSpacing(14)
        for place, check in enumerate(bundle.checks):
            name = check_in_words(check.name)
            meter = Meter(name, check.score, sentence(check.text), self._theme)
            meters.addWidget(meter, *divmod(place, _METERS_A_LINE))
        column.addLayout(meters)

    def _add_others(self, column: QVBoxLayout) -> None:
        bundles = self._story.answer.bundles if self._story else ()
        if len(bundles) < 2:
            return
        column.addWidget(plain_label(self.tr("Other ways to tell it"), "title"))
        line = QHBoxLayout()
        line.setSpacing(14)
        for number, bundle in enumerate(bundles):
            if number != self._shown:
                line.addWidget(self._card(number, bundle), 1)
        column.addLayout(line)

    def _card(self, number: int, bundle: Bundle) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        choose = button(self.tr("Show"), "quiet")
        choose.setAccessibleName(self.tr("Show the story {}").format(bundle.title))
        choose.clicked.connect(lambda: self.choose(number))
        head = QHBoxLayout()
        head.addWidget(plain_label(bundle.title, "heading", wrap=True), 1)
        head.addWidget(choose)
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 8, 12, 12)
        column.addLayout(head)
        column.addWidget(self._strip(bundle, large=False))
        return card

    def _strip(self, bundle: Bundle, large: bool) -> StoryStrip:
        strip = StoryStrip(self._thumbnails, self._theme, large)
        strip.opened.connect(self.opened)
        if self._story is not None:
            strip.show_bundle(bundle, self._story.photos)
        return strip

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.asked.emit()

    def _take_suggestion(self, text: str) -> None:
        self.line.setText(text)
        self.asked.emit()

    def _invite(self) -> None:
        self.empty.say(
            self.tr("Let your photos tell a story"),
            self.tr(
                "Say what it is about: a trip, a day, something that comes back every year. "
                "Three to five photos are chosen that tell it together."
            ),
        )
        self.empty.suggest(
            (
                self.tr("our trip to the sea, from arrival to sunset"),
                self.tr("a day in the mountains"),
                self.tr("from day to night in the city"),
            )
        )

    def _header(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(24, 14, 24, 6)
        line.setSpacing(12)
        line.addWidget(plain_label(self.tr("Stories"), "title"))
        line.addSpacing(8)
        line.addWidget(self.line, 1)
        line.addWidget(self.go)
        return line
