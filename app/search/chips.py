"""Conditions and verdicts as chips."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.widgets.chip import ChipContent, ChipKind
from core.domain.query import Polarity, Understanding
from core.domain.verdict import Verdict, VerdictState

_KINDS = {
    VerdictState.KEPT: ChipKind.KEPT,
    VerdictState.CHANGED: ChipKind.CHANGED,
    VerdictState.UNSURE: ChipKind.UNSURE,
}


def understood_chips(understanding: Understanding) -> tuple[ChipContent, ...]:
    """What must be there, what must not, when and where."""
    chips = [ChipContent(c.text, "", ChipKind.WANTED) for c in understanding.required]
    if not chips and understanding.target:
        chips = [ChipContent(understanding.target, "", ChipKind.WANTED)]
    chips += [
        ChipContent(c.text, _tr("left out"), ChipKind.EXCLUDED) for c in understanding.excluded
    ]
    if understanding.when is not None:
        chips.append(ChipContent(understanding.when.text, "", ChipKind.TIME))
    if understanding.where is not None:
        chips.append(ChipContent(understanding.where.text, "", ChipKind.PLACE))
    return tuple(chips)


def verdict_chips(verdicts: Sequence[Verdict]) -> tuple[ChipContent, ...]:
    """One chip a verdict: the condition, its state in a word, and why."""
    return tuple(map(_verdict_chip, verdicts))


def state_in_words(state: VerdictState) -> str:
    """A verdict in one word."""
    return {
        VerdictState.KEPT: _tr("kept"),
        VerdictState.CHANGED: _tr("changed"),
        VerdictState.ABSENT: _tr("absent"),
        VerdictState.UNSURE: _tr("unsure"),
    }[state]


def _verdict_chip(verdict: Verdict) -> ChipContent:
    unwanted = verdict.condition.polarity is Polarity.NEGATIVE
    text = verdict.condition.text
    if unwanted and verdict.state is not VerdictState.ABSENT:  # "people: absent" says enough
        text = _tr("without {}").format(text)
    kind = _KINDS.get(verdict.state, ChipKind.ABSENT if unwanted else ChipKind.CHANGED)
    seen = _tr("{0}: {1:.0%} sure that it is in the photo")
    tooltip = seen.format(verdict.condition.text, verdict.probability)
    evidence = f" ({verdict.evidence})" if verdict.evidence else ""
    return ChipContent(text, state_in_words(verdict.state), kind, tooltip + evidence)


def _tr(text: str) -> str:
    return QCoreApplication.translate("search", text)
