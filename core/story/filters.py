"""What a plan leaves of the library: kinds of picture, when, where, and which trips."""

import re

import numpy as np

from core.domain.answer import TraceEvent
from core.domain.arrays import BoolArray, Int64Array
from core.domain.photo import PhotoKind
from core.domain.story import Relation, StoryPlan
from core.retrieval.filters import taken_when, taken_where
from core.story.pool import NONE, StoryPool

_PAPERS = r"documents?|dokumente?|documentos?|documenti"
_ASKS_FOR = {
    PhotoKind.SCREENSHOT: r"screen ?shots?|screen ?captures?|bildschirmfotos?|pantallazos?"
    r"|captures? d.écran|capturas? de pantalla|schermate",
    PhotoKind.RECEIPT: rf"receipts?|{_PAPERS}|quittung(en)?|kassenbons?|reçus?|recibos?"
    r"|scontrin[oi]",
    PhotoKind.SCAN: rf"scans?|scanned|{_PAPERS}|eingescannte?n?|escaneos?|scansion[ei]",
    PhotoKind.MEME: r"memes?|mèmes?",
    PhotoKind.GRAPHIC: r"graphics?|drawings?|logos?|grafiken?|zeichnung(en)?|dessins?|dibujos?"
    r"|disegn[oi]",
    PhotoKind.VIDEO: r"videos?|vidéos?|vídeos?|(video ?)?clips?|filmat[oi]",
}
_TRIP = (
    r"(road ?)?trips?|journeys?|travels?|tours?|vacations?|holidays?|cruises?|expeditions?"
    r"|\w*reisen?|\w*urlaube?s?|voyages?|vacances|viajes?|vacaciones|viagg\w+|vacanz\w+"
)
"""Words that mean a trip as a whole."""


def suitable(
    pool: StoryPool, plan: StoryPlan, naming: Int64Array | None = None
) -> tuple[StoryPool, tuple[TraceEvent, ...]]:
    """The photos that the plan admits, and what was left out.

    `naming` are photos whose own words hold the places that no gazetteer knows, None where the
    plan has no such place; where there are none, these places are not filtered by.

    A story of a trip keeps whole trips: those that have a photo at the plan's time and place.
    A brief that speaks of a walk or a day there means only their part at that time and place.
    """
    kinds = pool.take(np.isin(pool.columns.kind, _kinds(plan.brief.text)))
    trace = [TraceEvent("kinds", f"{len(pool) - len(kinds)} pictures that are no photos left out")]
    matching = _matching(kinds, plan)
    if naming is not None:
        matching, event = _naming(kinds, plan, matching, naming)
        trace.append(event)
    if plan.when is not None or plan.where is not None:
        trace.append(TraceEvent("filtered", f"{matching.sum()} photos match {_asked(plan)}"))
    if plan.relation is not Relation.TRIP:
        return kinds.take(matching), tuple(trace)
    kept, event = _trips(kinds, matching, whole=_names_a_trip(plan))
    return kinds.take(kept), (*trace, event)


def _kinds(text: str) -> list[str]:
    asked = [kind for kind, words in _ASKS_FOR.items() if re.search(rf"(?i)\b({words})\b", text)]
    return [PhotoKind.PHOTO.value, *(kind.value for kind in asked)]


def _asked(plan: StoryPlan) -> str:
    return " and ".join(f"“{part.text}”" for part in (plan.when, plan.where) if part is not None)


def _matching(pool: StoryPool, plan: StoryPlan) -> BoolArray:
    """A photo without a position is where the rest of its session is."""
    held = np.ones(len(pool), np.bool_)
    if plan.when is not None:
        held &= taken_when(pool.columns, plan.when)
    if plan.where is not None:
        there = taken_where(pool.columns, plan.where)
        sessions = np.unique(pool.session[there & (pool.session != NONE)])
        held &= there | (np.isnan(pool.columns.latitude) & np.isin(pool.session, sessions))
    return held


def _naming(
    pool: StoryPool, plan: StoryPlan, matching: BoolArray, naming: Int64Array
) -> tuple[BoolArray, TraceEvent]:
    """Photos of sessions in which a photo's words name the place; all where none does."""
    names = " and ".join(f"“{name}”" for name in plan.named)
    told = np.isin(pool.ids, naming)
    if not told.any():
        return matching, TraceEvent("fallback", f"no dated photo's words name {names}: any place")
    sessions = np.unique(pool.session[told & (pool.session != NONE)])
    there = told | np.isin(pool.session, sessions)
    text = f"{names} is no known place; {told.sum()} photos name it in their own words"
    return np.asarray(matching & there), TraceEvent("fallback", text)


def _names_a_trip(plan: StoryPlan) -> bool:
    return re.search(rf"(?i)\b({_TRIP})\b", plan.brief.text) is not None


def _trips(pool: StoryPool, matching: BoolArray, whole: bool) -> tuple[BoolArray, TraceEvent]:
    chosen = np.unique(pool.trip[matching & (pool.trip != NONE)])
    if len(chosen):
        kept = np.isin(pool.trip, chosen) & (whole | matching)
        return kept, TraceEvent("trips", f"{len(chosen)} trips may be meant")
    return matching, TraceEvent(
        "no trip", "no trip of the library fits; runs of days without a long pause are used"
    )
